import type { ModelConfig } from '../model/setup/configure.ts'
import { configKeys } from '../model/setup/served.ts'
import type { FieldOf, ModelName, Registered, RelationIn } from '../model/types.ts'
import type { CustomSchema } from '../schema/custom/index.ts'

/**
 * The configuration of a model in its controller: everything that the options `modelConfig`, `customSchemas`, `fileFields`
 * and `useMultipart` can set for it.
 */
export interface ModelParts<Name extends ModelName = ModelName>
  extends ModelConfig<FieldOf<Name>, RelationIn<Registered, Name>> {
  /** Schemas that replace the generated schemas of the bodies. See docs/schemas.md. @default the generated schemas */
  readonly schemas?: CustomSchema
  /** Text fields that hold files, in addition to detected ones. See docs/files.md. @default none */
  readonly fileFields?: readonly FieldOf<Name>[]
  /** Whether create and update accept `multipart/form-data`. See docs/files.md. @default whether the model has files */
  readonly useMultipart?: { readonly create?: boolean; readonly update?: boolean }
}

/** An option that configures models by their names. */
export type ModelOption = 'modelConfig' | 'customSchemas' | 'fileFields' | 'useMultipart'

/** The members of a controller that can be set by an option instead. */
export const partOptions: ReadonlyMap<string, ModelOption> = new Map<string, ModelOption>([
  ...configKeys.map((key) => [key, 'modelConfig'] as const),
  ['schemas', 'customSchemas'],
  ['fileFields', 'fileFields'],
  ['useMultipart', 'useMultipart'],
])
