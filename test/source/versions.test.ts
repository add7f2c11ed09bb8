import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { FieldKind } from '../../src/model/model.ts'
import { type Condition, everything } from '../../src/query/ast.ts'
import type { ModelSource, RecordStore, Row } from '../../src/source/source.ts'
import { withVersions } from '../../src/source/versions.ts'
import { memorySource } from '../../src/testing/index.ts'

const ofTenant = (value: number): Condition => ({ op: 'eq', field: 'tenant', value })

/** A task of tenant 1, in a source that raises its version. */
const open = (kind: FieldKind, watched = (store: RecordStore): RecordStore => store) => {
  const required = { nullable: false, hasDefault: false }
  const own = memorySource([
    {
      name: 'Task',
      primaryKey: ['id'],
      fields: [
        { name: 'id', kind: 'integer', nullable: false, hasDefault: true },
        ...(['tenant', 'count'] as const).map((name) => ({ name, kind: 'integer' as const, ...required })),
        { name: 'version', kind, ...required },
      ],
    },
  ])
  const models = own.models.map((model) => ({ ...model, version: 'version' }))
  const below: ModelSource = { ...own, store: (model) => watched(own.store(model)) }
  const [model] = models
  return model === undefined ? expect.fail() : withVersions(below, models).store(model)
}

const made = { tenant: 1, count: 0 }

/** A store whose first update comes after one of another request. */
const overtaken = (changed: Row) => {
  let isFirst = true
  return (store: RecordStore): RecordStore => ({
    ...store,
    async update(key, values, guard) {
      if (isFirst) await store.update(key, changed, everything)
      isFirst = false
      return store.update(key, values, guard)
    },
  })
}

describe.each(['integer', 'datetime'] as const)('versions of the kind %s', (kind) => {
  it('rise for records that the guard holds for, and others stay as they are', async () => {
    const tasks = open(kind)
    const task = await tasks.create(made)
    expect(await tasks.update([1], { count: 1 }, ofTenant(2))).toBeUndefined()
    expect(await tasks.read([1], everything)).toEqual(task)
    const raised = await tasks.update([1], { count: 1 }, ofTenant(1))
    expect(raised).toMatchObject({ tenant: 1, count: 1 })
    expect(raised?.['version']).not.toEqual(task['version'])
  })
})

it.each([{ version: 7 }, {}])(
  'a record that leaves the guard meanwhile with %o is not changed',
  async (raised) => {
    const tasks = open('integer', overtaken({ tenant: 2, ...raised }))
    await tasks.create(made)
    expect(await tasks.update([1], { count: 1 }, ofTenant(1))).toBeUndefined()
    expect(await tasks.read([1], everything)).toMatchObject({ tenant: 2, count: 0 })
  },
)

it('a version that another request raises meanwhile is raised again', async () => {
  const tasks = open('integer', overtaken({ version: 7 }))
  await tasks.create(made)
  expect(await tasks.update([1], { count: 1 }, everything)).toMatchObject({ count: 1, version: 8 })
})

it('a time as version rises where the clock does not', async () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 0, 1))
  onTestFinished(() => clock.mockRestore())
  const tasks = open('datetime')
  const versions = [(await tasks.create(made))['version']]
  for (const count of [1, 2]) versions.push((await tasks.update([1], { count }, everything))?.['version'])
  expect(new Set(versions.map(Number)).size).toBe(3)
  expect(versions.map(Number)).toEqual(versions.map(Number).toSorted((one, other) => one - other))
})

it('a version that the guard names is not read first', async () => {
  let reads = 0
  const tasks = open('integer', (store) => ({
    ...store,
    read(...asked) {
      reads += 1
      return store.read(...asked)
    },
  }))
  await tasks.create(made)
  const isFirst = { op: 'eq', field: 'version', value: 1 } as const
  expect(await tasks.update([1], { count: 1 }, isFirst)).toMatchObject({ count: 1, version: 2 })
  expect(reads).toBe(0)
})
