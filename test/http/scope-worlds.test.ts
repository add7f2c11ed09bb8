import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyAct } from './scope/acts.ts'
import { hookSets, inBoth, OPENING, optionsFor, type Worlds, worldStages } from './scope/two-worlds.ts'

/** What a source is asked for at least once in all of it. */
const everyKind = [
  ...['related Document', 'related Folder', 'related Remark', 'countRelated Document'],
  ...['list Document', 'list Folder', 'list Remark', 'count Document', 'count Remark'],
  ...['read Document', 'read Folder', 'read Remark', 'read Document inside', 'read Folder inside'],
  ...['count Folder inside', 'count Document inside', 'read Remark inside'],
  ...['create Document inside', 'create Folder inside', 'create Remark inside'],
  ...['update Document inside', 'update Folder inside', 'update Remark inside'],
  ...['take Document', 'remove Folder', 'remove Remark', 'take Folder inside', 'take Remark inside'],
  'take Document inside',
]

const [onSqlite, onPGlite] = worldStages
const every = Object.entries(hookSets)
const fewest = every.filter(([name]) => ['no hooks', 'all of them'].includes(name))

describe.each([
  [...onSqlite, every],
  // Hooks do not depend on the database.
  [...onPGlite, fewest],
] as const)('a tenant acts as if nobody else were there, on %s', (_name, stage, sets) => {
  let worlds: Worlds
  const seen = new Set<string>()
  beforeAll(async () => {
    worlds = await stage.open()
  }, OPENING)
  afterAll(() => worlds.close())

  it.each(sets)('with %s', async (name, set) => {
    const both = await inBoth(worlds, stage, set, optionsFor(name))
    await everyAct(both, worlds)
    await both.stop()
    for (const kind of both.kinds) seen.add(kind)
  })

  it('in every way in which a source can be asked', () => {
    expect(everyKind.filter((kind) => !seen.has(kind))).toEqual([])
  })
})
