// What the system says about a file, as a sentence for the model.

const REASONS: Record<string, (path: string) => string> = {
  ENOENT: (path) => `There is no file ${path}.`,
  ENOTDIR: (path) => `There is no file ${path}: a part of its path is a file and no folder.`,
  EEXIST: (path) => `${path} cannot be made: a part of its path is a file and no folder.`,
  ENAMETOOLONG: (path) => `There is no file ${path.slice(0, 60)}…: the name is too long.`,
  EISDIR: (path) => `${path} is a folder.`,
  EACCES: (path) => `The system does not let us at ${path} (EACCES).`,
  ENOSPC: (path) => `${path} cannot be written: the disk is full. What was there before is unchanged.`,
  EROFS: (path) => `${path} cannot be written: it is on a disk that can only be read.`,
};

/** Throws an error of the system as a sentence about the path that was asked for; others as they are. */
export function tellFileProblem(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    const reason = REASONS[error.code ?? ""];
    throw reason ? new Error(reason(path), { cause: error }) : error;
  };
}
