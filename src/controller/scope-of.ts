import type { FieldOf, ModelName, RecordOf } from '../model/register.ts'

type ScopeValue = string | number | bigint | boolean | Date | null

/** Equalities that all hold: a list of values means any of them, a to-one relation takes an object of its own. */
export interface ScopeEqualities {
  readonly [field: string]: ScopeValue | readonly ScopeValue[] | ScopeEqualities
}

/** What a caller may reach: one set of equalities, or any of several. `{}` is everything, an empty array nothing. */
export type Scope = ScopeEqualities | readonly ScopeEqualities[]

/** What a caller may reach of a model: `Scope` with its fields and to-one relations. */
export type ScopeOf<Name extends ModelName> = EqualitiesOf<Name> | readonly EqualitiesOf<Name>[]

type EqualitiesOf<Name extends ModelName> =
  string extends FieldOf<Name>
    ? ScopeEqualities
    : {
        readonly [Key in FieldOf<Name> | RelationName<FieldOf<Name>>]?: Key extends FieldOf<Name>
          ? OneOrAny<Extract<RecordOf<Name>[Key], ScopeValue>>
          : ScopeEqualities
      }

type OneOrAny<Value> = Value | readonly Value[]

/**
 * What to-one relations are called: after their field, or their model where they have several. Tables do not say at
 * compile time which model it is, so its own fields are not known here.
 */
type RelationName<Field> = Stem<Field> | Uncapitalize<ModelName>

type Stem<Field> = Field extends `${infer Text extends string}${'_id' | '_ID' | 'Id' | 'ID'}` ? Text : never
