// Moments as people read them, in the order in which they sort.

/** `2026-11-30 13:04:05`, in the time zone of the process. */
export function localTime(millisecondsSince1970: number): string {
  const at = new Date(millisecondsSince1970);
  const padded = (part: number, length = 2) => String(part).padStart(length, "0");
  const date = [padded(at.getFullYear(), 4), padded(at.getMonth() + 1), padded(at.getDate())].join("-");
  return `${date} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => padded(part)).join(":")}`;
}

/** The same without the seconds. */
export function localMinute(millisecondsSince1970: number): string {
  return localTime(millisecondsSince1970).slice(0, -3);
}

/** `2026-11-30 12:04 UTC`: for what is read elsewhere. */
export function utcMinute(millisecondsSince1970: number): string {
  return `${new Date(millisecondsSince1970).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
