// Waiting for an extension, but not for ever.

/** Resolves as the work does, or rejects with the problem after so many milliseconds. */
export function beforeTimeout<T>(work: T | Promise<T>, ms: number, problem: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(problem)), ms);
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
