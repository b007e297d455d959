// Notices what a library may not do behind one's back: print, or leave a rejected promise to nobody. Everything that is printed meanwhile
// still gets through; nothing is changed for longer than a watch lasts.

/** A watch over the process. */
export interface ProcessWatch {
  /** Ends the watch and says what was noticed. */
  stop(): Promise<string[]>;
}

type Write = typeof process.stdout.write;
const CONSOLE_METHODS = ["log", "info", "warn", "error", "debug", "trace"] as const;

/** Whether no file took part in a call but Node's own and this one: a test runner that is built into Node reports on its tests. */
function isOfNodeAlone(stack: string | undefined): boolean {
  const frames = (stack ?? "").split("\n").slice(2);
  return frames.every((frame) => /\(?(node:|<anonymous>)/.test(frame));
}

/** Begins a watch. */
export function watchProcess(): ProcessWatch {
  const noticed: string[] = [];
  const undo: (() => void)[] = [];
  for (const name of ["stdout", "stderr"] as const) {
    const stream = process[name];
    const write = stream.write;
    stream.write = ((...parameters: Parameters<Write>) => {
      if (isOfNodeAlone(new Error().stack)) return write.apply(stream, parameters);
      noticed.push(`printed to ${name}: ${String(parameters[0]).slice(0, 200)}`);
      return write.apply(stream, parameters);
    }) as Write;
    undo.push(() => {
      stream.write = write;
    });
  }
  for (const name of CONSOLE_METHODS) {
    const method = console[name];
    console[name] = (...values: unknown[]) => {
      noticed.push(`console.${name}: ${values.map(String).join(" ").slice(0, 200)}`);
      method.apply(console, values);
    };
    undo.push(() => {
      console[name] = method;
    });
  }
  const onRejection = (reason: unknown): void => {
    noticed.push(`unhandled rejection: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`);
  };
  process.on("unhandledRejection", onRejection);
  undo.push(() => process.removeListener("unhandledRejection", onRejection));
  return {
    async stop() {
      // Unhandled rejections are reported after the promises of one turn have run.
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
      for (const restore of undo) restore();
      return noticed;
    },
  };
}
