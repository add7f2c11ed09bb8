import type { Verb } from '../controller/access.ts'
import { isFileField } from '../model/file-fields.ts'
import { isReadable, type Model } from '../model/model.ts'
import { plural, quoted, withArticle } from '../model/naming.ts'
import type { Operation } from '../operation/operation.ts'
import { defaultLimit } from '../query/page.ts'
import { membersOf, staysOnReplace } from '../schema/members.ts'
import type { Resource } from './resource.ts'

type Words = Pick<Operation, 'summary' | 'description'>

/** What the document says of an act on the records of a model. */
export const describedAct = (resource: Resource, act: Verb | 'file'): Words => {
  const { summary, lines } = acts[act](resource)
  const isScoped = resource.around.controller?.hooks.scope !== undefined
  const scope = isScoped && act !== 'file' ? [scopes[act]] : []
  return { summary, description: [...lines, ...scope].filter((line) => line !== '').join(' ') }
}

interface Told {
  readonly summary: string
  /** Sentences. An empty one is left out. */
  readonly lines: readonly string[]
}

const acts: Readonly<Record<Verb | 'file', (resource: Resource) => Told>> = {
  list: ({ model, rules }) => ({
    summary: `List ${plural(model.name)}`,
    lines: [
      `Returns the ${plural(model.name)} that match \`q\`, one page at a time. Without \`sort\` they are in the order of ${quoted(model.primaryKey)}.`,
      rules.paging === 'page-number'
        ? `A page has ${rules.perPage} records.`
        : `A page has ${defaultLimit(rules)} records unless \`limit\` says otherwise, up to ${rules.maxLimit}.`,
    ],
  }),
  get: ({ model }) => ({
    summary: `Get ${withArticle(model.name)}`,
    lines: [`Returns the ${model.name} with this key.`],
  }),
  create: ({ model, bodies, files }) => ({
    summary: `Create ${withArticle(model.name)}`,
    lines: [
      `Stores a new ${model.name} and returns it with its defaults and generated values.`,
      bodies.isCustom.create ? '' : requiredLine(model),
      uniqueLine(model),
      files?.takesForm.create === true ? formLine(model) : '',
    ],
  }),
  update: ({ model, files }) => ({
    summary: `Update ${withArticle(model.name)}`,
    lines: [
      'Changes the fields that the body names and leaves all others as they are. An empty body changes nothing.',
      uniqueLine(model),
      files?.takesForm.update === true ? formLine(model) : '',
    ],
  }),
  replace: ({ model, files }) => ({
    summary: `Replace ${withArticle(model.name)}`,
    lines: [
      `Replaces every field that can be written: one that the body leaves out gets its default, or null.${keptLine(model)} It never creates ${withArticle(model.name)}.`,
      uniqueLine(model),
      files?.takesForm.replace === true ? formLine(model) : '',
    ],
  }),
  delete: ({ model }) => ({
    summary: `Delete ${withArticle(model.name)}`,
    lines: [
      `Deletes the ${model.name} with this key; a second request for it is a 404. While other records refer to it, the database may refuse: 409.`,
    ],
  }),
  file: ({ model }) => ({
    summary: `Get a file of ${withArticle(model.name)}`,
    lines: [`Returns a file for as long as the ${model.name} holds it.`],
  }),
}

const scopes: Readonly<Record<Verb, string>> = {
  list: 'Only records in the reach of the caller are listed and counted.',
  get: 'A record out of the reach of the caller is a 404.',
  create: 'A record that would be out of the reach of the caller is a 403.',
  update: 'A record out of the reach of the caller is a 404, and moving one there a 403.',
  replace: 'A record out of the reach of the caller is a 404, and moving one there a 403.',
  delete: 'A record out of the reach of the caller is a 404.',
}

const requiredLine = (model: Model): string => {
  const required = membersOf(model, 'create').filter((member) => member.required)
  return required.length === 0 ? '' : `Required: ${quoted(required.map(({ field }) => field.name))}.`
}

/** Sets of fields that callers know of, each once. */
const uniqueLine = ({ fields, uniques }: Model): string => {
  const readable = new Set(fields.filter(isReadable).map(({ name }) => name))
  const known = uniques.filter((names) => names.every((name) => readable.has(name)))
  return known.length === 0
    ? ''
    : `A second record with the same ${known.map(quoted).join(', or the same ')} is a 409.`
}

const keptLine = (model: Model): string => {
  const kept = membersOf(model, 'replace')
    .map(({ field }) => field)
    .filter(staysOnReplace)
  const [whose, its] = kept.length === 1 ? ['keeps', 'its value'] : ['keep', 'their values']
  return kept.length === 0 ? '' : ` Left out, ${quoted(kept.map(({ name }) => name))} ${whose} ${its}.`
}

const formLine = ({ fields }: Model): string => {
  const names = fields
    .filter((field) => isFileField(field) && field.access !== 'hidden')
    .map(({ name }) => name)
  return names.length === 0 ? '' : `Send \`multipart/form-data\` to upload ${quoted(names)}.`
}
