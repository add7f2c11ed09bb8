import type { ModelSource, Row } from '../../../src/source/source.ts'

/**
 * A company: people of teams, which have a key of two parts, with managers and tags. Where the database can, texts are compared
 * regardless of their case.
 */
export const createCompany = ({
  text,
  key = text,
  decimal = 'decimal(10, 2)',
}: {
  readonly text: string
  readonly key?: string
  readonly decimal?: string
}): readonly string[] => [
  `create table teams (region ${key} not null, code integer not null, name ${text} not null, budget ${decimal}, primary key (region, code))`,
  `create table people (id integer primary key, name ${text} not null, region ${key}, code integer, manager_id integer, age integer,
    foreign key (region, code) references teams (region, code), foreign key (manager_id) references people (id))`,
  `create table tags (code ${key} primary key, label ${text})`,
  `create table person_tags (person_id integer not null, tag_code ${key} not null, weight integer, primary key (person_id, tag_code),
    foreign key (person_id) references people (id), foreign key (tag_code) references tags (code))`,
  'create index people_by_team on people (region, code)',
  'create index people_by_manager on people (manager_id, id)',
]

/** How often each of some values occurs is random, but the same in each run. */
const random = (seed: number) => {
  let state = seed
  return <T>(values: readonly T[]): T => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return values[Math.floor((state / 2 ** 31) * values.length)] as T
  }
}

const PEOPLE = 40

export const rowsOfCompany = (isCaseIgnored: boolean): Readonly<Record<string, readonly Row[]>> => {
  const any = random(4711)
  const budgets = [null, '0.00', '10.10', '10.20', '-3.50', '99999999.99']
  const teams = ['north', 'south', 'e;"\\\'{}'].flatMap((region) =>
    [1, 2].map((code) => ({ region, code, name: any(['red', 'blue']), budget: any(budgets) })),
  )
  const people = Array.from({ length: PEOPLE }, (_, place) => {
    const team = any([...teams, undefined])
    const region = team && isCaseIgnored ? any([team.region, team.region.toUpperCase()]) : team?.region
    const [code, managerId] = [team?.code ?? null, place === 0 ? null : any([null, 1, 2, 3, 4, place])]
    const name = any(['Ann', 'ann', 'Bob', 'Zoë'])
    return {
      ...{ id: place + 1, name, region: any([region ?? null, region ?? null, null]), code },
      ...{
        managerId: managerId !== null && managerId > place ? null : managerId,
        age: any([null, 20, 30, 40]),
      },
    }
  })
  const tags = ['a', 'b', 'c d', 'e%'].map((code) => ({ code, label: any([null, 'x', 'y']) }))
  const personTags = people.flatMap(({ id }) =>
    tags.flatMap(({ code }) => {
      const tagCode = isCaseIgnored ? any([code, code.toUpperCase()]) : code
      return any([true, false]) ? [{ personId: id, tagCode, weight: any([null, 1, 2, 3]) }] : []
    }),
  )
  return { Team: teams, Person: people, Tag: tags, PersonTag: personTags }
}

export const fillCompany = async (source: ModelSource, isCaseIgnored: boolean): Promise<void> => {
  for (const [name, rows] of Object.entries(rowsOfCompany(isCaseIgnored))) {
    const model = source.models.find((known) => known.name === name)
    if (model === undefined) throw new Error(`The source has no model ${name}.`)
    for (const row of rows) await source.store(model).create(row)
  }
}
