// What is said about a call that was refused: to the model with what it is to do now, to the person in one sentence.

const ADVICE = "Do not try the same in another way; go on without it or say what you need.";

/** The result of a refused call, for the model. Its first line is the sentence for people. */
export function refusalText(tool: string, reason: string, rules: readonly string[]): string {
  const remedy = rules.length === 0 ? "" : `The person can allow it with ${allowFlags(rules)}. `;
  return `Refused: ${tool} was not run, because ${reason}.\n${remedy}${ADVICE}`;
}

/** The sentence for people, of a text that is the result of a refused call; undefined for any other. */
export function refusalForPeople(text: string): string | undefined {
  return text.startsWith("Refused: ") && text.endsWith(ADVICE) ? text.slice(0, text.indexOf("\n")) : undefined;
}

/** The flags that allow what the rules match, as one types them in a shell. */
export function allowFlags(rules: readonly string[]): string {
  return rules.map((rule) => `--allow '${rule.replaceAll("'", "'\\''")}'`).join(" ");
}
