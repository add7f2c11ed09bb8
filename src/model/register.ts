/**
 * Where an application says which models it has, once, so that their names complete in an editor and hooks know their
 * payload and record.
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications add to it.
export interface Register {}

/** The name of a model. */
export type ModelName = string

/** A record of a model, as the ORM has it. */
export type RecordOf<Name extends ModelName> = Name extends unknown ? Record<string, unknown> : never

/** What a create stores: the columns of a model, those with a default optional. */
export type InsertOf<Name extends ModelName> = Name extends unknown ? Record<string, unknown> : never

/** The ORM's own handle. */
export type Handle = unknown
