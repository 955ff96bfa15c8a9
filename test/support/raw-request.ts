import { connect } from "node:net";

/** Sends bytes as they are, which `fetch` would tidy up; the answer as text, once the server has closed the connection. */
export function rawRequest(port: number, bytes: string | Uint8Array, milliseconds = 5000): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let answer = "";
    socket.setEncoding("latin1").on("data", (piece: string) => {
      answer += piece;
    });
    socket.setTimeout(milliseconds, () => socket.destroy());
    socket.on("close", () => resolve(answer));
    socket.on("error", () => {}); // closed by the server: what it said before counts
  });
}
