// Amounts in words, for sentences that people and models read.

/** An amount and its noun: "1 turn", "2 turns", "2.5 minutes". */
export function counted(amount: number, noun: string): string {
  const rounded = Math.round(amount * 10) / 10;
  return `${rounded} ${noun}${rounded === 1 ? "" : "s"}`;
}
