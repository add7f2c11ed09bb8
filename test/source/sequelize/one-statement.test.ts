import { Buffer } from 'node:buffer'
import { DataTypes, Model, type ModelStatic, type Options, type Sequelize } from 'sequelize'
import { expect, it } from 'vitest'
import { type Condition, everything, type RecordStore } from '../../../src/entry/source.ts'
import { describeEach, type Subject } from '../../needed-program.ts'
import { openModels } from './databases.ts'
import { type Open, onPg, onSqlite } from './shop.ts'

const eq = (field: string, value: unknown): Condition => ({ op: 'eq', field, value })

interface Note {
  readonly Note: ModelStatic<Model>
  readonly notes: RecordStore
  /** Statements on the table since the last call. */
  statements(): readonly string[]
}

/** A model that nothing hears, with what Sequelize fills in. */
const openNotes = async (
  options: Options,
  define: (sequelize: Sequelize) => ModelStatic<Model> = defineNote,
): Promise<Note> => {
  const seen: string[] = []
  const logging = (sql: string): unknown => sql.includes('notes') && seen.push(sql)
  const { sequelize, store } = await openModels({ ...options, logging }, define)
  seen.length = 0
  return { Note: sequelize.model('Note'), notes: store('Note'), statements: () => seen.splice(0) }
}

const attributes = {
  text: { type: DataTypes.STRING(50), field: 'note_text', validate: { len: [1, 9] as [number, number] } },
  kind: { type: DataTypes.STRING(9), allowNull: false, defaultValue: 'plain' },
  mark: { type: DataTypes.INTEGER, defaultValue: () => 7 },
  meta: DataTypes.JSON,
  bytes: DataTypes.BLOB,
  loud: {
    type: DataTypes.VIRTUAL,
    get(this: Model) {
      return `${this.get('text')}!`
    },
  },
}

const options = { tableName: 'notes', paranoid: true, defaultScope: { where: { kind: 'plain' } } }

const defineNote = (sequelize: Sequelize) => sequelize.define('Note', attributes, options)

const hooks = {
  create: [
    ...([
      'beforeValidate',
      'afterValidate',
      'beforeCreate',
      'afterCreate',
      'beforeSave',
      'afterSave',
    ] as const),
    ...(['beforeFind', 'beforeFindAfterOptions', 'afterFind'] as const),
  ],
  update: [
    ...([
      'beforeValidate',
      'afterValidate',
      'beforeUpdate',
      'afterUpdate',
      'beforeSave',
      'afterSave',
    ] as const),
    ...([
      'beforeBulkUpdate',
      'afterBulkUpdate',
      'beforeFind',
      'beforeFindAfterOptions',
      'afterFind',
    ] as const),
  ],
}

const databases: readonly Subject<Open>[] = [
  ['SQLite', onSqlite],
  ['PostgreSQL', onPg, 'postgres'],
]

describeEach(databases, 'writes of Sequelize that nothing hears on %s', (open) => {
  it('are one statement, with all that Sequelize fills in', async () => {
    const { notes, Note, statements } = await openNotes(await open())
    const before = new Date()
    const given = { text: "it's $1 :x ?", meta: { a: ["'", '$1'] } }
    await expect((async () => notes.create(given))()).rejects.toMatchObject({
      kind: 'check',
      fields: ['text'],
    })
    expect(statements()).toEqual([])
    const made = await notes.create({ ...given, text: '$1 :x', bytes: Buffer.from("'\0") })
    expect(statements()).toHaveLength(1)
    expect(made).toMatchObject({ text: '$1 :x', kind: 'plain', mark: 7, meta: given.meta, deletedAt: null })
    expect(Buffer.from(made['bytes'] as Uint8Array).toString()).toBe("'\0")
    const { id, createdAt, updatedAt } = made
    expect((createdAt as Date).getTime()).toBeGreaterThan(before.getTime() - 2000)
    expect(createdAt).toEqual(updatedAt)
    expect(await notes.read([id], everything)).toEqual(made)
    statements()
    await Note.update({ updatedAt: 0 }, { where: {}, silent: true })
    statements()
    const changed = await notes.update([id], { text: null, meta: null, mark: 8 }, eq('text', '$1 :x'))
    expect(statements()).toHaveLength(1)
    expect(changed).toMatchObject({ id, text: null, meta: null, mark: 8, kind: 'plain', createdAt })
    expect(Number(changed?.['updatedAt'])).toBeGreaterThan(before.getTime() - 2000)
    expect(await notes.read([id], everything)).toEqual(changed)
  })

  it('hold the guard, the default scope and the validators, and see no deleted record', async () => {
    const { notes, Note } = await openNotes(await open())
    const { id } = await notes.create({ text: 'a' })
    const long = (async () => notes.update([id], { text: 'far too long' }, everything))()
    await expect(long).rejects.toMatchObject({ kind: 'check', fields: ['text'] })
    const missing = (async () => notes.update([id], { kind: null }, everything))()
    await expect(missing).rejects.toMatchObject({ kind: 'not-null', fields: ['kind'] })
    expect(await notes.update([id], { text: 'b' }, eq('text', 'b'))).toBeUndefined()
    expect(await notes.update([id], { id: 70, text: 'b' }, eq('text', 'a'))).toMatchObject({ id: 70 })
    expect(await notes.update([70], { kind: 'other' }, everything)).toMatchObject({ kind: 'other' })
    expect(await notes.update([70], { text: 'c' }, everything)).toBeUndefined()
    const { id: gone } = await notes.create({ text: 'd' })
    expect(await notes.remove([gone], everything)).toBe(true)
    expect(await notes.update([gone], { text: 'e' }, everything)).toBeUndefined()
    expect(await Note.unscoped().count({ where: { text: 'e' }, paranoid: false })).toBe(0)
  })

  it('check no value that is not given', async () => {
    const { notes, Note } = await openNotes(await open(), (sequelize) =>
      sequelize.define(
        'Note',
        { text: DataTypes.STRING, secret: { type: DataTypes.VIRTUAL, allowNull: false } },
        { tableName: 'notes' },
      ),
    )
    const id = (await Note.create({ text: 'a', secret: 'b' })).get('id')
    expect(await notes.update([id], { text: 'c' }, everything)).toMatchObject({ text: 'c' })
  })

  it('compute the defaults and the keys that are SQL', async () => {
    const { notes } = await openNotes(await open(), (sequelize) =>
      sequelize.define(
        'Note',
        {
          code: { type: DataTypes.INTEGER, primaryKey: true, defaultValue: sequelize.literal('(40 + 2)') },
          text: { type: DataTypes.STRING, defaultValue: sequelize.literal("(upper('a'))") },
        },
        { tableName: 'notes', timestamps: false },
      ),
    )
    expect(await notes.create({})).toEqual({ code: 42, text: 'A' })
  })

  it('need no values', async () => {
    const { notes } = await openNotes(await open(), (sequelize) =>
      sequelize.define('Note', { text: 'varchar(9)' }, { tableName: 'notes', timestamps: false }),
    )
    expect(await notes.create({})).toEqual({ id: 1, text: null })
  })

  it('are left to methods of the model that replace those of Sequelize', async () => {
    const called: string[] = []
    class Note extends Model {
      static override async create(...args: Parameters<typeof Model.create>): Promise<never> {
        called.push('create')
        return super.create(...args) as never
      }
      static override async update(...args: Parameters<typeof Model.update>): Promise<never> {
        called.push('update')
        return super.update(...args) as never
      }
    }
    class Saved extends Model {
      override async save(options?: object): Promise<this> {
        called.push('save')
        return super.save(options)
      }
    }
    const { store } = await openModels(await open(), (sequelize) => {
      for (const made of [Note, Saved])
        made.init({ text: DataTypes.STRING }, { sequelize, timestamps: false })
    })
    const { id } = await store('Note').create({ text: 'a' })
    expect(await store('Note').update([id], { text: 'b' }, everything)).toEqual({ id, text: 'b' })
    expect(await store('Saved').create({ text: 'a' })).toEqual({ id: 1, text: 'a' })
    expect(called).toEqual(['create', 'update', 'save'])
  })

  it('of reads are left to methods of the model that replace those of Sequelize', async () => {
    const called: string[] = []
    class Note extends Model {
      static override async findAll(...args: Parameters<typeof Model.findAll>): Promise<never> {
        called.push('findAll')
        return super.findAll(...args) as never
      }
    }
    class Tag extends Model {
      static override async count(...args: Parameters<typeof Model.count>): Promise<never> {
        called.push('count')
        return super.count(...args) as never
      }
    }
    const { store } = await openModels(await open(), (sequelize) => {
      for (const made of [Note, Tag]) made.init({ text: DataTypes.STRING }, { sequelize, timestamps: false })
    })
    await store('Note').create({ text: 'a' })
    called.length = 0
    expect(await store('Note').read([1], everything)).toEqual({ id: 1, text: 'a' })
    expect(await store('Tag').count(everything, everything)).toBe(0)
    // One for the values, and one for records, of which the method may hide some.
    expect(called).toEqual(['findAll', 'findAll', 'count'])
  })

  it('respect times with a default of their own, and what Sequelize is told to leave out', async () => {
    const database = await open()
    const then = new Date('2001-02-03T04:05:06.000Z')
    const defaultValue = (): Date => then
    const { notes, Note } = await openNotes(database, (sequelize) =>
      sequelize.define(
        'Note',
        {
          text: DataTypes.STRING,
          createdAt: { type: DataTypes.DATE, defaultValue },
          updatedAt: { type: DataTypes.DATE, defaultValue },
        },
        { tableName: 'notes' },
      ),
    )
    const { id } = await notes.create({ text: 'a' })
    expect(await notes.update([id], { text: 'b' }, everything)).toMatchObject({
      createdAt: then,
      updatedAt: then,
    })
    await Note.sequelize?.drop()
    const other = await openNotes({ ...database, omitNull: true }, (sequelize) =>
      sequelize.define(
        'Note',
        { text: 'varchar(9)', kind: { type: 'varchar(9)', allowNull: true } },
        { tableName: 'notes', timestamps: false },
      ),
    )
    await other.Note.sequelize?.query('alter table notes drop column kind')
    await other.Note.sequelize?.query("alter table notes add column kind varchar(9) default 'x'")
    expect(await other.notes.create({ text: 'a', kind: null })).toMatchObject({ kind: 'x' })
  })

  it('let Sequelize validate types and set the path of schemas, where options say so', async () => {
    const database = await open()
    const { notes, Note } = await openNotes({ ...database, typeValidation: true }, (sequelize) =>
      sequelize.define('Note', { mark: DataTypes.FLOAT, size: DataTypes.INTEGER }, { tableName: 'notes' }),
    )
    const { id } = await notes.create({ mark: 1.5, size: 1 })
    for (const wrong of [{ size: 1.5 }, { mark: 'x' }]) {
      await expect((async () => notes.create(wrong))()).rejects.toThrow()
      await expect((async () => notes.update([id], wrong, everything))()).rejects.toThrow()
    }
    expect(await notes.count(everything, everything)).toBe(1)
    await Note.sequelize?.drop()
    const dialectOptions = { prependSearchPath: true }
    const other = await openNotes({ ...database, dialectOptions })
    const made = await other.notes.create({ text: 'a' })
    expect(await other.notes.update([made['id']], { text: 'b' }, everything)).toMatchObject({ text: 'b' })
  })
})

it.each([
  ...hooks.create.map((hook) => ['create', hook] as const),
  ...hooks.update.map((hook) => ['update', hook] as const),
])('%s: a hook %s of the model or of the instance is heard', async (act, hook) => {
  for (const isOfAll of [false, true]) {
    const { notes, Note } = await openNotes(await onSqlite())
    const { id } = await notes.create({ text: 'a' })
    const heard: string[] = []
    const listening = (isOfAll ? Note.sequelize : Note) as typeof Note
    listening.addHook(hook as 'beforeSave', () => void heard.push(hook))
    await (act === 'create' ? notes.create({ text: 'b' }) : notes.update([id], { text: 'b' }, everything))
    expect(heard, String(isOfAll)).not.toEqual([])
  }
})
