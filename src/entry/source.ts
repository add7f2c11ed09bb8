export { StartError } from '../error/errors.ts'
export type { FieldFacts, TableFacts, ValueCapabilities } from '../model/facts.ts'
export type { ForeignKeyFacts } from '../model/foreign-keys.ts'
export type { FileKey, UploadedFile, WithFiles, WithUploads } from '../model/kinds/binary.ts'
export { constantDefault } from '../model/kinds/index.ts'
export { PreciseDate } from '../model/kinds/time.ts'
export type { CountMode, Element, Field, FieldKind, Model, Relation, ValueForm } from '../model/model.ts'
export { type ModelNameOf, modelNameOf } from '../model/naming.ts'
export type { Awaitable } from '../model/objects.ts'
export type { OperationName } from '../model/operations.ts'
export { describeModels } from '../model/setup/describe.ts'
export type { OptionalTextComparison, TextComparison } from '../model/text-comparisons.ts'
export type { Typed } from '../model/types.ts'
export type {
  StatementBegun,
  StatementEnded,
  StatementFacts,
  Watch,
  WatchStatement,
} from '../observe/observer.ts'
export { aggregateRows } from '../query/aggregate-rows.ts'
export {
  type Aggregate,
  type Aggregation,
  both,
  type Comparison,
  type Condition,
  columnName,
  type DatePart,
  everything,
  type Grouping,
  type Hop,
  type Order,
  type Selection,
  sortName,
} from '../query/ast.ts'
export {
  compareRows,
  compareValues,
  type Evaluation,
  holds,
  type RelatedRow,
  sortValueOf,
} from '../query/evaluate.ts'
export type { JsonComparison, JsonScalar, JsonStep } from '../query/json-path.ts'
export { type LeafOperator, type NormalCondition, normalForm } from '../query/normal-form.ts'
export type { Advice } from '../source/advice.ts'
export { defineSource } from '../source/define.ts'
export {
  type Admits,
  type Capabilities,
  type ConnectionQueue,
  DEFAULT,
  type Missing,
  type ModelSource,
  type OrmHooks,
  type RecordStore,
  type RelatedTo,
  type Row,
  type Session,
  SourceError,
  type SourceErrorKind,
} from '../source/source.ts'
