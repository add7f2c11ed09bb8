import { describe, expect, test } from 'vitest'
import { StartError } from '../../src/error/errors.ts'
import { fileFieldsOf } from '../../src/model/kinds/index.ts'
import type { Field, Model } from '../../src/model/model.ts'
import { type FileOptions, multipartModels } from '../../src/upload/multipart-models.ts'
import { naming } from '../naming.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'

const namesOf = (model: Model) => fileFieldsOf(model).map(({ name }) => name)

const id = fieldNamed('id', 'integer', 'number')
const label = fieldNamed('label', 'text', 'string')

/** A model with a column that is detected, one without, and both. */
const shapes: Readonly<Record<string, readonly Field[]>> = {
  'a file column': [fieldNamed('photo', 'image', 'string')],
  'plain text': [label],
  both: [fieldNamed('photo', 'image', 'string'), label],
}

const choices = [undefined, true, false] as const

interface Row {
  readonly shape: string
  readonly named: readonly string[] | undefined
  readonly detect: boolean | undefined
  readonly auto: boolean | undefined
  readonly use: boolean | undefined
}

const rows: readonly Row[] = Object.entries(shapes).flatMap(([shape, fields]) =>
  [undefined, [], ...fields.map(({ name }) => [name]), fields.map(({ name }) => name)].flatMap((named) =>
    choices.flatMap((detect) =>
      choices.flatMap((auto) => choices.map((use) => ({ shape, named, detect, auto, use }))),
    ),
  ),
)

/** The rules of the specification, said once more: which fields are files, and whether multipart is taken. */
const expected = ({ shape, named = [], detect, auto, use }: Row) => {
  const detected = detect === false || shape === 'plain text' ? [] : ['photo']
  const files = (shapes[shape] ?? [])
    .map(({ name }) => name)
    .filter((name) => [...named, ...detected].includes(name))
  const byItself = named.length > 0 || (detected.length > 0 && auto !== false)
  return { files, multipart: use ?? byItself }
}

const optionsOf = (model: string, { named, detect, auto }: Row, use: object): FileOptions => ({
  ...(named !== undefined && { fileFields: { [model]: named } }),
  ...(detect !== undefined && { autoDetectFiles: detect }),
  ...(auto !== undefined && { autoMultipart: auto }),
  useMultipart: { [model]: use },
})

describe.each(['create', 'update'] as const)('%s', (act) => {
  const other = act === 'create' ? 'update' : 'create'

  test.each(rows)(
    '$shape, fileFields $named, autoDetectFiles $detect, autoMultipart $auto, useMultipart $use',
    (row) => {
      const model = modelOf('Product', [id, ...(shapes[row.shape] ?? [])])
      const { files, multipart } = expected(row)
      const use = row.use === undefined ? {} : { [act]: row.use }
      const found = multipartModels([model], optionsOf('Product', row, use)).get('Product')
      expect(found && namesOf(found.model)).toEqual(files)
      expect(found?.[act]).toBe(multipart)
      // The choice for one says nothing about the other.
      expect(found?.[other]).toBe(expected({ ...row, use: undefined }).multipart)
    },
  )
})

test('there are as many rows as combinations', () => {
  expect(rows).toHaveLength((4 + 4 + 5) * 27)
})

const product = modelOf('Product', [
  id,
  { ...label, maxLength: 255, default: 'x', hasDefault: true },
  fieldNamed('photo', 'image', 'string'),
])

test('kinds say afterwards which fields are files', () => {
  const kindsOf = (options: FileOptions) =>
    multipartModels([product], options)
      .get('Product')
      ?.model.fields.map(({ kind }) => kind)
  expect(kindsOf({})).toEqual(['integer', 'text', 'image'])
  expect(kindsOf({ fileFields: { Product: ['label'] } })).toEqual(['integer', 'file', 'image'])
  expect(kindsOf({ autoDetectFiles: false })).toEqual(['integer', 'text', 'text'])
  expect(kindsOf({ autoDetectFiles: false, fileFields: { Product: ['photo'] } })).toEqual([
    'integer',
    'text',
    'image',
  ])
})

test('a model of which nothing changes is the same object', () => {
  expect(multipartModels([product]).get('Product')?.model).toBe(product)
})

test('the models are told apart', () => {
  const plain = modelOf('Tag', [id, label])
  const found = multipartModels([product, plain], { useMultipart: { Tag: { create: true } } })
  expect(
    [...found].map(([name, { model, create, update }]) => [name, namesOf(model), create, update]),
  ).toEqual([
    ['Product', ['photo'], true, true],
    ['Tag', [], true, false],
  ])
})

const view: Model = { ...modelOf('Sheet', [id, fieldNamed('photo', 'image', 'string')]), readOnly: true }

test('a view shows files and takes none', () => {
  const { model = view, ...takes } = multipartModels([view]).get('Sheet') ?? {}
  expect([namesOf(model), takes]).toEqual([['photo'], { create: false, update: false }])
  expect(multipartModels([view], { useMultipart: { Sheet: { create: false } } }).get('Sheet')?.create).toBe(
    false,
  )
  expect(() => multipartModels([view], { useMultipart: { Sheet: { update: true } } })).toThrow(
    naming('useMultipart.Sheet'),
  )
})

const order = modelOf(
  'Order',
  [
    { ...fieldNamed('code', 'text', 'string') },
    fieldNamed('shop', 'text', 'string'),
    fieldNamed('total', 'decimal', 'string'),
    { ...fieldNamed('short', 'text', 'string'), maxLength: 119 },
    { ...fieldNamed('made', 'text', 'string'), generated: true },
    fieldNamed('invoice', 'text', 'string'),
  ],
  {
    primaryKey: ['code'],
    relations: [
      { name: 'shopOf', kind: 'to-one', model: 'Shop', fields: ['shop'], references: ['id'], inverse: 'x' },
    ],
  },
)

const refusals: readonly (readonly [options: object, names: readonly (string | number)[]])[] = [
  [{ fileFields: { Ordr: ['invoice'] } }, ['fileFields', 'Ordr', 'Order']],
  [{ useMultipart: { order: { create: true } } }, ['useMultipart', 'order', 'Order']],
  [{ fileFields: { Order: ['invoise'] } }, ['fileFields.Order', 'invoise', 'invoice']],
  [{ fileFields: { Order: ['total'] } }, ['fileFields.Order', 'total']],
  [{ fileFields: { Order: ['code'] } }, ['fileFields.Order', 'code']],
  [{ fileFields: { Order: ['shop'] } }, ['fileFields.Order', 'shop']],
  [{ fileFields: { Order: ['made'] } }, ['fileFields.Order', 'made']],
  [{ fileFields: { Order: ['short'] } }, ['fileFields.Order', 'short', 119, 120]],
  [{ fileFields: ['Order'] }, ['fileFields', "{ Product: ['photo'] }"]],
  [{ fileFields: { Order: 'invoice' } }, ['fileFields.Order']],
  [{ fileFields: { Order: [1] } }, ['fileFields.Order']],
  [{ useMultipart: true }, ['useMultipart', '{ Product: {']],
  [{ useMultipart: { Order: true } }, ['useMultipart.Order', '{ create, update }']],
  [{ useMultipart: { Order: { creat: true } } }, ['useMultipart.Order', 'creat', 'create', 'update']],
  [{ useMultipart: { Order: { create: 'yes' } } }, ['useMultipart.Order.create', 'true', 'false']],
  [{ autoDetectFiles: 'yes' }, ['autoDetectFiles', 'true', 'false']],
  [{ autoMultipart: 1 }, ['autoMultipart', 'true', 'false']],
]

test.each(refusals)('%j is refused at the start', (options, names) => {
  const start = () => multipartModels([order], options)
  expect(start).toThrow(StartError)
  expect(start).toThrow(naming(...names))
})

test('a model may have no say', () => {
  const options: object = { fileFields: { Order: undefined }, useMultipart: { Order: undefined } }
  expect(namesOf(multipartModels([order], options).get('Order')?.model ?? order)).toEqual([])
})
