import { assertKnown, StartError } from '../../error/errors.ts'
import { ownValue } from '../objects.ts'
import { plainName, relationName } from './relation-names.ts'

/** New names of the fields or relations of a model, as `modelConfig` has them. */
interface NewNames {
  readonly model: string
  readonly option: 'fields' | 'relations'
  /** The names that the source has. */
  readonly known: readonly string[]
  /** Name of the source -> its new name. Others stay. */
  readonly choices: Readonly<Record<string, string | false | undefined>>
  /** The other names that requests use for the model. */
  readonly others: readonly string[]
  /** Names of query parameters. */
  readonly reserved: ReadonlySet<string>
}

/** @throws StartError for an unknown name, and for a new one that is taken or that requests cannot contain */
export const assertNewNames = ({ model, option, known, choices, others, reserved }: NewNames): void => {
  const place = `modelConfig.${model}.${option}`
  const noun = option === 'fields' ? 'field' : 'relation'
  for (const name of Object.keys(choices)) assertKnown(`${place}: unknown ${noun}`, name, known)
  const names = known.map((name) => [name, chosenName(name, choices)] as const)
  for (const [name, chosen] of names) {
    if (name === chosen) continue
    if (!relationName.test(chosen))
      throw new StartError(
        `${place}.${name} must start with a letter and have only letters, digits and _, unlike ${JSON.stringify(chosen)}.`,
      )
    if (reserved.has(chosen))
      throw new StartError(
        `${place}.${name}: ${chosen} is a query parameter, so a ${noun} cannot have this name. Reserved: ${[...reserved].sort().join(', ')}.`,
      )
    const isTaken = (other: string): boolean => plainName(other) === plainName(chosen)
    const beside = names.filter(([other]) => other !== name).map(([, other]) => other)
    const taken = [...others, ...beside].find(isTaken)
    if (taken !== undefined)
      throw new StartError(
        `${place}.${name}: the name ${chosen} is taken by the field or relation ${taken} of ${model}. Choose another name.`,
      )
  }
}

/** The new name, or the one that the source has. */
export const chosenName = (name: string, choices: NewNames['choices']): string => {
  const choice = ownValue(choices, name)
  return typeof choice === 'string' ? choice : name
}
