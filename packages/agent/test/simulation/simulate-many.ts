// Many simulated lives. RONDO_SIMULATION_SEED replays a single one.
import { simulate } from "./simulate.ts";

export async function simulateMany({ count, firstSeed }: { count: number; firstSeed: number }): Promise<void> {
  const replayed = process.env["RONDO_SIMULATION_SEED"];
  if (replayed !== undefined) return simulate(Number(replayed));
  process.stdout.write(`simulating seeds ${firstSeed} to ${firstSeed + count - 1}\n`);
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    try {
      await simulate(seed);
    } catch (error) {
      const replay = `Replay it: RONDO_SIMULATION_SEED=${seed} npx vitest run packages/agent/test/simulation.test.ts`;
      throw new Error(`${(error as Error).message}\n  ${replay}`, { cause: error });
    }
  }
}
