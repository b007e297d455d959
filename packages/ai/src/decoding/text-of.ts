// A field of a frame that holds text where a server fills it.

/** The text of a field; none where it is absent, null or something else. */
export const textOf = (field: unknown): string => (typeof field === "string" ? field : "");
