// Model ids as words: what two spellings have in common, and which of two versions is the newer.

/** A number from here on in an id is a date (2025, 20251001, 2512), no version. */
const VERSION_NUMBER_MAX = 100;

/** An id in small letters with "-" for every sign that is neither letter nor digit, so that 5.5, 5-5 and 5_5 are one. */
export function plainId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** The id without the maker's name and folders before it. */
export function baseName(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

/**
 * How well a text fits a model's id or name; undefined if it does not.
 * 0: the id, spelled otherwise. 1: its beginning or end. 2: words in it. 3: letters in it. 4: all its words, scattered.
 */
export function fitOf(text: string, id: string, name: string): number | undefined {
  const wanted = plainId(text);
  if (wanted === "") return undefined;
  const [whole, base, title] = [plainId(id), plainId(baseName(id)), plainId(name)];
  if (whole === wanted || base === wanted || title === wanted) return 0;
  if (base.startsWith(`${wanted}-`) || base.endsWith(`-${wanted}`)) return 1;
  if (`-${whole}-`.includes(`-${wanted}-`) || `-${title}-`.includes(`-${wanted}-`)) return 2;
  if (whole.includes(wanted) || title.includes(wanted)) return 3;
  const all = `${whole}-${title}`;
  // A single letter stands in every name.
  return wanted.split("-").every((word) => /^[^a-z]|../.test(word) && all.includes(word)) ? 4 : undefined;
}

/** Sorts newer versions first: 5.5 before 5 before 4.8; of one version, the id without a date first. */
export function newerFirst(left: string, right: string): number {
  const [versions, others] = [versionOf(left), versionOf(right)];
  for (let index = 0; index < Math.max(versions.length, others.length); index++) {
    const difference = (others[index] ?? -1) - (versions[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length || (left < right ? -1 : 1);
}

function versionOf(id: string): number[] {
  return (baseName(id).match(/\d+/g) ?? []).map(Number).filter((number) => number < VERSION_NUMBER_MAX);
}
