import {
  AfterLoad,
  BeforeInsert,
  BeforeRemove,
  BeforeUpdate,
  ChildEntity,
  Column,
  DataSource,
  type DataSourceOptions,
  Entity,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'
import { expect, it, onTestFinished } from 'vitest'
import { everything, type RecordStore } from '../../../src/entry/source.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import { onEachDatabase } from './databases.ts'
import { all } from './shop.ts'

class Content {
  declare id: number
  declare title: string
  declare slug: string | null
  declare isFixed: boolean

  makeSlug(): void {
    this.slug = this.title.toLowerCase()
  }

  shout(): void {
    if (this.title !== undefined) this.title = `${this.title}!`
  }

  refuse(): void {
    if (this.isFixed) throw new Error('fixed')
  }
}

class Photo extends Content {
  declare size: number | null
}

class Post extends Content {}

// What decorators do, in a file that Node runs as it is.
Entity()(Content)
TableInheritance({ column: { type: 'varchar', name: 'type', length: 20 } })(Content)
PrimaryGeneratedColumn()(Content.prototype, 'id')
Column({ type: 'varchar', length: 50 })(Content.prototype, 'title')
Column({ type: 'varchar', length: 50, nullable: true })(Content.prototype, 'slug')
Column({ type: 'boolean', default: false, update: false })(Content.prototype, 'isFixed')
BeforeInsert()(Content.prototype, 'makeSlug')
BeforeUpdate()(Content.prototype, 'makeSlug')
AfterLoad()(Content.prototype, 'shout')
BeforeRemove()(Content.prototype, 'refuse')
ChildEntity()(Photo)
Column({ type: 'int', nullable: true })(Photo.prototype, 'size')
ChildEntity()(Post)

const opened = async (
  options: DataSourceOptions,
): Promise<Readonly<Record<'contents' | 'photos' | 'posts', RecordStore>>> => {
  const dataSource = new DataSource({
    ...options,
    entities: [Content, Photo, Post],
    synchronize: true,
  } as DataSourceOptions)
  await dataSource.initialize()
  onTestFinished(() => dataSource.destroy())
  const source = typeormModels(dataSource, { Content, Photo, Post })
  const [contents, photos, posts] = source.models.map((model) => source.store(model))
  if (!contents || !photos || !posts) throw new Error('A model is missing.')
  return { contents, photos, posts }
}

onEachDatabase('classes', (open) => {
  it('with listeners hear all writes and reads', async () => {
    const { posts } = await opened(await open())
    const { id, ...post } = await posts.create({ title: 'One' })
    expect(post).toEqual({ title: 'One!', slug: 'one', isFixed: false })
    expect(await posts.update([id], { title: 'Two' }, everything)).toMatchObject({
      title: 'Two!',
      slug: 'two',
    })
    expect(await posts.list(all, everything)).toEqual([{ id, title: 'Two!', slug: 'two', isFixed: false }])
    expect(await posts.take([id], everything)).toMatchObject({ slug: 'two' })
    const fixed = await posts.create({ title: 'Three', isFixed: true })
    await expect(Promise.resolve(posts.remove([fixed['id']], everything))).rejects.toThrow('fixed')
    await expect(
      Promise.resolve(posts.update([fixed['id']], { isFixed: false }, everything)),
    ).rejects.toMatchObject({ kind: 'value', fields: ['isFixed'] })
    expect(await posts.update([fixed['id']], { isFixed: true }, everything)).toEqual(fixed)
  })

  it('of one table have their own records', async () => {
    const { contents, photos, posts } = await opened(await open())
    const photo = await photos.create({ title: 'Sea', size: 3 })
    const post = await posts.create({ title: 'Text' })
    const titles = async (store: RecordStore) =>
      (await store.list({ ...all, order: [{ field: 'id', direction: 'asc' }] }, everything)).map(
        ({ slug }) => slug,
      )
    expect(await titles(contents)).toEqual(['sea', 'text'])
    expect(await titles(photos)).toEqual(['sea'])
    expect(await photos.read([post['id']], everything)).toBeUndefined()
    expect(await photos.update([post['id']], { size: 1 }, everything)).toBeUndefined()
    expect(await photos.remove([post['id']], everything)).toBe(false)
    expect(await posts.count(everything, everything)).toBe(1)
    expect(await photos.update([photo['id']], { size: 4 }, everything)).toMatchObject({ size: 4 })
    expect(await photos.remove([photo['id']], everything)).toBe(true)
    expect(await titles(contents)).toEqual(['text'])
  })
})
