import { defineEntity, p } from '@mikro-orm/core'
import { expect, it } from 'vitest'
import { everything } from '../../../src/entry/source.ts'
import { onEachDatabase } from './databases.ts'
import { all, shopOf } from './shop.ts'

const Content = defineEntity({
  name: 'Content',
  discriminatorColumn: 'type',
  discriminatorValue: 'content',
  properties: { id: p.integer().primary(), title: p.string(), type: p.string() },
})
const Photo = defineEntity({
  ...{ name: 'Photo', extends: Content, discriminatorValue: 'photo' },
  properties: { size: p.integer().nullable(), album: () => p.manyToOne(Album).nullable() },
})
const Post = defineEntity({
  ...{ name: 'Post', extends: Content, discriminatorValue: 'post' },
  properties: { slug: p.string().nullable() },
})
const Album = defineEntity({
  name: 'Album',
  properties: { id: p.integer().primary(), photos: () => p.oneToMany(Photo).mappedBy('album') },
})

onEachDatabase('entities in one table', (open) => {
  it('have only the records of their class, also when they are written', async () => {
    const { source, store } = shopOf(await open({ entities: [Content, Photo, Post, Album] }))
    const type = source.models
      .find(({ name }) => name === 'Photo')
      ?.fields.find(({ name }) => name === 'type')
    expect(type?.generated).toBe(true)
    const { id: albumId } = await store('Album').create({})
    const photo = await store('Photo').create({ title: 'a', size: 1, albumId })
    const post = await store('Post').create({ title: 'b', slug: 'x' })
    expect(photo).toMatchObject({ title: 'a', size: 1, type: 'photo' })
    expect(await store('Photo').list(all, everything)).toEqual([photo])
    expect(await store('Content').count(everything, everything)).toBe(2)
    expect(await store('Photo').read([post['id']], everything)).toBeUndefined()
    expect(await store('Photo').update([post['id']], { title: 'x' }, everything)).toBeUndefined()
    expect(await store('Photo').remove([post['id']], everything)).toBe(false)
    expect(await store('Photo').update([photo['id']], { title: 'x' }, everything)).toMatchObject({
      title: 'x',
    })
    const pictured = { op: 'related', relation: 'photos', condition: everything } as const
    expect(await store('Album').count(pictured, everything)).toBe(1)
    expect(await store('Photo').remove([photo['id']], everything)).toBe(true)
    expect(await store('Album').count(pictured, everything)).toBe(0)
  })
})
