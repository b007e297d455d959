// What extensions print, where standard output is for the answer or the lines of a protocol.
import { Console } from "node:console";

/**
 * What is printed from now on goes to standard error, unless standard output is a terminal, where a person reads both. Who took
 * `write` of standard output before still writes to it.
 */
export function divertPrints({ stdout, stderr }: NodeJS.Process): void {
  if (stdout.isTTY) return;
  stdout.write = stderr.write.bind(stderr);
  Object.assign(console, new Console(stderr));
}
