/** Something went wrong: what, in words, and a way to make it go away. */
export function ErrorNotice({ message, dismiss }: { message: string; dismiss: () => void }) {
  return (
    <div class="notice" role="alert">
      <p>{message}</p>
      <button type="button" class="quiet" onClick={dismiss}>
        Dismiss
      </button>
    </div>
  );
}
