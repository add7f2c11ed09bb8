import type { Model } from '../model/model.ts'
import type { ListRules } from '../query/rules.ts'
import type { ModelJsonSchemas } from '../schema/json-schemas.ts'
import type { ModelSchemas } from '../schema/model-schemas.ts'
import type { Serialiser } from '../schema/serialiser.ts'
import type { RecordStore } from '../source/source.ts'

/** A model with all that its operations need. */
export interface Resource {
  readonly model: Model
  readonly store: RecordStore
  readonly schemas: ModelSchemas
  readonly jsonSchemas: ModelJsonSchemas
  readonly serialiser: Serialiser
  readonly rules: ListRules
  /** The most bytes of a JSON body. */
  readonly bodyLimit: number
  /** Names of all models that are served: a refusal names no other. */
  readonly served: ReadonlySet<string>
}
