import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaLibSql } from '@prisma/adapter-libsql'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { prismaModels } from '../../../src/entry/prisma.ts'
import { everything, type Model, type Session } from '../../../src/entry/source.ts'
import { generate } from './generated.ts'

const schema = `
model Parent {
  id   Int    @id
  name String
  kids Kid[]
}
model Kid {
  id       Int    @id
  parentId Int
  parent   Parent @relation(fields: [parentId], references: [id])
}
`
const folder = mkdtempSync(join(tmpdir(), 'prisma-commits-'))
afterAll(() => rmSync(folder, { recursive: true }))

const adapters = {
  'better-sqlite3': (url: string) => new PrismaBetterSqlite3({ url, timeout: 50 }),
  libsql: (url: string) => new PrismaLibSql({ url, intMode: 'bigint' }),
}

const opened = async (name: keyof typeof adapters) => {
  const { connect, metadata } = await generate('sqlite', schema)
  const file = join(folder, `${name}-${Math.random()}.db`)
  const raw = new Database(file)
  raw.exec(`create table Parent (id integer primary key, name text not null);
    create table Kid (id integer primary key,
      parentId integer not null references Parent (id) deferrable initially deferred)`)
  const client = connect(adapters[name](`file:${file}`))
  const source = prismaModels(client, metadata)
  const model = (wanted: string) => source.models.find((known) => known.name === wanted) as Model
  return { raw, client, source, store: (of: string, inside: Session = source) => inside.store(model(of)) }
}

const parents = (raw: Database.Database) => raw.prepare('select id from Parent order by id').pluck().all()

describe('a commit that fails because of a deferred foreign key', () => {
  it('is rolled back on better-sqlite3, and later writes are saved', async () => {
    const { raw, client, source, store } = await opened('better-sqlite3')
    const broken = source.transaction(async (inside) => store('Kid', inside).create({ id: 1, parentId: 7 }))
    await expect(broken).rejects.toMatchObject({ kind: 'missing-reference' })
    await store('Parent').create({ id: 1, name: 'a' })
    await source.transaction(async (inside) => store('Parent', inside).create({ id: 2, name: 'b' }))
    expect(parents(raw)).toEqual([1, 2])
    expect(await store('Kid').count(everything, everything)).toBe(0)
    await client.$disconnect()
  })

  it('is refused on libSQL, too', async () => {
    const { raw, client, source, store } = await opened('libsql')
    await source.transaction(async (inside) => store('Parent', inside).create({ id: 2, name: 'b' }))
    const broken = source.transaction(async (inside) => store('Kid', inside).create({ id: 1, parentId: 7 }))
    await expect(broken).rejects.toMatchObject({ kind: 'missing-reference' })
    expect(parents(raw)).toEqual([2])
    await client.$disconnect()
  })
})

describe('better-sqlite3', () => {
  it('a commit that must wait for another connection too long is a conflict, and later writes are saved', async () => {
    const { raw, client, source, store } = await opened('better-sqlite3')
    raw.exec('begin; select * from Parent')
    const held = raw.prepare('select * from Parent')
    held.all()
    const waiting = source.transaction(async (inside) => store('Parent', inside).create({ id: 3, name: 'c' }))
    await expect(waiting).rejects.toMatchObject({ kind: 'contended' })
    raw.exec('commit')
    await store('Parent').create({ id: 4, name: 'd' })
    await source.transaction(async (inside) => store('Parent', inside).create({ id: 5, name: 'e' }))
    expect(parents(raw)).toEqual([4, 5])
    await client.$disconnect()
  })

  it('a transaction inside of another is refused at once, which goes on', async () => {
    const { raw, client, source, store } = await opened('better-sqlite3')
    await source.transaction(async (inside) => {
      await expect((async () => source.transaction(async () => undefined))()).rejects.toThrow('context.db')
      await store('Parent', inside).create({ id: 1, name: 'a' })
    })
    expect(parents(raw)).toEqual([1])
    await client.$disconnect()
  })
})
