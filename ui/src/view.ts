// The types of what the page is given, as the program writes it, and the versions of them that the page understands.
// Units are in the key names.

export type * from "./generated/view";

/** The newest schema this page understands. */
export const SCHEMA_VERSION = 1;

/** The newest shape of a history that this page understands. */
export const HISTORY_SCHEMA_VERSION = 1;
