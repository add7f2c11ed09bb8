import type { NamedSchema } from '../named-schema.ts'
import type { StandardSchema } from './standard-schema.ts'

/** A schema of the application's own, in place of a generated one. */
export interface CustomBody {
  /** As the option names it: `customSchemas.Product.create`. */
  readonly place: string
  readonly schema: StandardSchema
  /** It was made from the create schema: only what was sent may come out, so that no default applies. */
  readonly onlySent: boolean
  /** The keys that the schema names. */
  readonly declared: ReadonlySet<string>
  /** Validation may take its time. */
  readonly mayWait: boolean
  /** What the document shows. Absent: nobody knows, so that the generated schema stands there. */
  readonly shown?: NamedSchema
}

/** The schemas of the application's own that a model has. That for create reads a PUT as well. */
export type CustomBodies = Readonly<Partial<Record<'create' | 'update' | 'replace', CustomBody>>>
