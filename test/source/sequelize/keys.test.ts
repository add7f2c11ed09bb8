import {
  DataTypes,
  type Model,
  type ModelAttributeColumnOptions,
  type ModelOptions,
  Sequelize,
} from 'sequelize'
import { expect, it } from 'vitest'
import { everything } from '../../../src/entry/source.ts'
import { type Opened, onEachDatabase, openModels } from './databases.ts'
import type { Open } from './shop.ts'

/** Pages whose primary key is given by clients. */
const openPages = async (
  open: Open,
  slug: Partial<ModelAttributeColumnOptions> = {},
  options: ModelOptions = {},
): Promise<Opened> =>
  openModels(await open(), (sequelize) =>
    sequelize.define(
      'Page',
      { slug: { type: DataTypes.STRING(50), primaryKey: true, ...slug }, title: DataTypes.STRING },
      { timestamps: false, ...options },
    ),
  )

const pageOf = ({ sequelize }: Opened) => sequelize.model('Page')

const computed = (dialect: string) => {
  if (dialect === 'postgres') return Sequelize.fn('gen_random_uuid')
  return dialect === 'sqlite'
    ? Sequelize.literal(`(lower(hex(randomblob(4))) || '-0000-4000-8000-000000000000')`)
    : Sequelize.literal('(uuid())')
}

onEachDatabase('keys', (open) => {
  it('are counted for records without values, also for many', async () => {
    const { source, store } = await openModels(await open(), (sequelize) =>
      sequelize.define('Blank', { text: 'varchar(9)' }, { timestamps: false }),
    )
    const [model] = source.models
    if (model === undefined) throw new Error('no model')
    const { id } = await store('Blank').create({})
    const given = [{}, {}, { text: 'a' }, {}]
    const rows = await source.transaction(async (inside) => inside.store(model).createMany?.(given))
    expect(rows?.map(({ text }) => text)).toEqual([null, null, 'a', null])
    const ids = [id, ...(rows ?? []).map((row) => row['id'])].map(Number)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
    expect(await store('Blank').count(everything, everything)).toBe(5)
  })

  it('that a setter or a hook changes are those of the created record', async () => {
    const opened = await openPages(open, {
      set(this: Model, value: string) {
        this.setDataValue('slug' as never, value.toLowerCase() as never)
      },
    })
    await pageOf(opened).create({ slug: 'a', title: 'of another user' })
    expect(await opened.store('Page').create({ slug: 'B', title: 'mine' })).toEqual({
      slug: 'b',
      title: 'mine',
    })
    pageOf(opened).addHook('beforeCreate', (page) => {
      page.setDataValue('slug' as never, `${page.get('slug')}-2` as never)
    })
    const made = await opened.store('Page').create({ slug: 'a', title: 'mine' })
    expect(made).toEqual({ slug: 'a-2', title: 'mine' })
  })

  it('that are given again do not keep hooks, setters and versions from an update', async () => {
    const opened = await openPages(open, {}, { version: true })
    const heard: unknown[] = []
    pageOf(opened).addHook('beforeUpdate', (page) => void heard.push(page.changed()))
    const pages = opened.store('Page')
    await pages.create({ slug: 'a', title: 'x' })
    const updated = await pages.update(['a'], { slug: 'a', title: 'y' }, everything)
    expect(updated).toEqual({ slug: 'a', title: 'y', version: 1 })
    expect(await pages.update(['a'], { slug: 'b', title: 'z' }, everything)).toEqual({
      ...{ slug: 'b', title: 'z', version: 2 },
    })
    expect(heard).toHaveLength(2)
    expect(await pages.update(['b'], { slug: 'b' }, everything)).toMatchObject({ version: 2 })
    expect(
      await pages.update(['b'], { slug: 'c' }, { op: 'eq', field: 'title', value: 'no' }),
    ).toBeUndefined()
    expect(await pages.update(['b'], { slug: 'c' }, everything)).toMatchObject({ slug: 'c', title: 'z' })
    expect(await pages.count(everything, everything)).toBe(1)
  })

  it('that the database computes are those of the created record', async () => {
    const { store } = await openModels(await open(), (sequelize) =>
      sequelize.define(
        'Note',
        {
          id: {
            type: DataTypes.UUID,
            primaryKey: true,
            defaultValue: computed(sequelize.getDialect()),
          },
          text: DataTypes.STRING,
        },
        { timestamps: false },
      ),
    )
    const made = await store('Note').create({ text: 'x' })
    expect(made).toEqual({ id: expect.stringMatching(/^[\da-f-]{36}$/), text: 'x' })
    expect(await store('Note').read([made['id']], everything)).toEqual(made)
  })
})
