/** Sends the request that `curl` with these arguments would send to a dashboard, to one at another address; its status. */
export async function requestLike(
  args: readonly string[],
  { url, readFile }: { readonly url: string; readonly readFile: (name: string) => string },
): Promise<number> {
  const values = (flag: string) => args.flatMap((arg, k) => (arg === flag ? [args[k + 1]!] : []));
  const [address] = args.filter((arg) => arg.startsWith("localhost:"));
  if (address === undefined) throw new Error(`curl ${args.join(" ")}: asks nothing of localhost`);
  const [body] = [...values("-d"), ...values("--data-binary").map((name) => readFile(name.replace("@", "")))];
  const response = await fetch(url + address.slice(address.indexOf("/")), {
    method: values("-X")[0] ?? "GET",
    headers: values("-H").map((header) => header.split(": ") as [string, string]),
    ...(body !== undefined && { body }),
  });
  await response.body?.cancel(); // events would go on for ever
  return response.status;
}
