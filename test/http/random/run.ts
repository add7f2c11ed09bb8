import { expect } from 'vitest'
import type { Row } from '../../stage/databases.ts'
import type { Answer, Send } from '../../stage/requests.ts'
import type { Act, Done, Outcome, Request } from './acts.ts'
import { beginnings, type Draft } from './requests.ts'
import { headerFor, sentFor, stateTagOf, targetOf } from './sent.ts'
import { served } from './service.ts'
import type { Library, Mode } from './stage.ts'
import { type AuditEntry, emptyWorld, type NewIds, Refused, type World } from './world.ts'

const admin = { 'x-role': 'admin' }

/** What clients can see, and what stands in the tables that they cannot. */
interface Seen {
  readonly books: readonly Row[]
  readonly reviews: readonly Row[]
  readonly links: readonly string[]
  readonly counts: readonly unknown[]
}

/** A sequence of requests, each of which is compared with what plain code makes of it. */
export class Run {
  readonly #library: Library
  readonly #mode: Mode
  #world: World = emptyWorld
  #seen: Seen = { books: [], reviews: [], links: [], counts: [] }
  #lastEntry = 0
  readonly #oldTags = new Map<string, string>()
  readonly #sent: string[] = []

  private constructor(library: Library, mode: Mode) {
    this.#library = library
    this.#mode = mode
  }

  static async begin(library: Library, mode: Mode): Promise<Run> {
    await library.empty()
    const run = new Run(library, mode)
    run.#seen = await run.#look()
    for (const draft of beginnings) await run.step(draft)
    return run
  }

  async step({ actIn, ifMatch, isAdmin, user }: Draft): Promise<void> {
    const { isWhole } = this.#library
    const whole = (id: number) => this.#seen.books.find((book) => book['id'] === id) ?? {}
    const act = withoutTags(actIn(this.#world, whole), isWhole)
    const target = targetOf(act)
    const tag = await this.#tagOf(target)
    const old = this.#oldTags.get(target ?? '') ?? '"0"'
    const { value, condition } = headerFor(
      target === undefined && ifMatch !== 'weak' ? 'none' : ifMatch,
      tag,
      old,
    )
    if (target !== undefined) this.#oldTags.set(target, tag)
    const { method, path, body } = sentFor(act)
    const headers = {
      ...(value !== undefined && { 'if-match': value }),
      ...(isAdmin && admin),
      ...(user !== undefined && { 'x-user': user }),
    }
    this.#sent.push(`${method} ${path} ${JSON.stringify(headers)} ${JSON.stringify(body)}`)
    const answer = await this.#send(method, path, { body, headers })
    const before = this.#seen
    this.#seen = await this.#look()
    const given = { caller: user ?? null, newIds: newIdsIn(this.#seen, this.#world) }
    const done = this.#served({ act, isAdmin, condition }, given)
    const place = `${this.#mode}\n${this.#sent.join('\n')}\n${answer.status} ${answer.text}`
    const entries = await this.#entries()
    if (done instanceof Refused) {
      const isRough = done.issues === 'not compared'
      const issues = isRough ? [] : [...done.issues].sort()
      expect(refusalOf(answer, isRough), place).toEqual([done.status, done.code, ...issues])
      expect(this.#seen, place).toEqual(before)
      expect(entries, place).toEqual([])
      return
    }
    this.#assertStored(done.world, before, place)
    expect(sorted(entries), place).toEqual(sorted(done.entries.map(comparable)))
    this.#assertAnswer(answer, done.outcome, place)
    if ('ids' in done.outcome && !done.outcome.isList) {
      const [id = 0] = done.outcome.ids
      const table = act.act.endsWith('Review') ? 'reviews' : 'books'
      expect(stateTagOf(answer), place).toBe(await this.#tagOf(`/${table}/${id}`))
    }
    this.#world = done.world
  }

  #served(
    request: Request,
    given: { readonly caller: string | null; readonly newIds: NewIds },
  ): Done | Refused {
    try {
      return served(this.#world, request, { mode: this.#mode, isWhole: this.#library.isWhole, ...given })
    } catch (error) {
      if (error instanceof Refused) return error
      throw error
    }
  }

  get #send(): Send {
    return this.#library.send[this.#mode] ?? expect.unreachable()
  }

  async #get(path: string): Promise<Answer> {
    return this.#send('GET', path, { headers: admin })
  }

  async #tagOf(target: string | undefined): Promise<string> {
    if (target === undefined) return '"1"'
    const answer = await this.#get(target.startsWith('/books') ? `${target}?deleted=with` : target)
    return answer.headers['etag'] ?? '"1"'
  }

  async #look(): Promise<Seen> {
    const listed = async (path: string): Promise<{ items: readonly Row[]; count: unknown }> => {
      const { json, text } = await this.#get(path)
      expect(json['items'], text).toBeDefined()
      return { items: json['items'] as readonly Row[], count: json['count'] }
    }
    const [books, reviews, living, links] = await Promise.all([
      listed('/books/?deleted=with&sort=id&limit=100'),
      listed('/reviews/?sort=id&limit=100'),
      listed('/books/?limit=1'),
      this.#library.isWhole ? this.#library.rows('select book_id, tag_id from book_tags') : [],
    ])
    return {
      ...{ books: books.items, reviews: reviews.items, counts: [living.count, books.count, reviews.count] },
      links: links.map(({ book_id, tag_id }) => `${book_id},${tag_id}`).sort(),
    }
  }

  async #entries(): Promise<readonly AuditEntry[]> {
    if (!this.#library.isWhole) return []
    const rows = await this.#library.rows<AuditEntry & { id: number } & Row>(
      `select id, caller, act, model, record, changes from audit_entries where id > ${this.#lastEntry} order by id`,
    )
    this.#lastEntry = Number(rows.at(-1)?.id ?? this.#lastEntry)
    return rows
      .map(({ caller, act, model, record, changes }) =>
        comparable({
          ...{ caller, act, model, record },
          changes: typeof changes === 'string' ? JSON.parse(changes) : changes,
        }),
      )
      .filter(({ changes }) => Object.keys(changes).length > 0)
  }

  #assertStored({ books, reviews, links }: World, before: Seen, place: string): void {
    const { isWhole } = this.#library
    const shown = this.#seen.books.map(
      ({ id, title, code, pages, revision, deleted_at, created_by, updated_by }) => ({
        ...{ id, title, code, pages, revision, isDeleted: deleted_at !== null },
        ...(isWhole && { created_by, updated_by }),
      }),
    )
    const isCounter = this.#mode === 'counter'
    const expected = [...books].map(([id, { raised, created_by, updated_by, ...book }]) => ({
      ...{ id, ...book, revision: isCounter ? 1 + raised : 1 },
      ...(isWhole && { created_by, updated_by }),
    }))
    expect(shown, place).toEqual(byId(expected))
    expect(this.#seen.reviews, place).toEqual(byId([...reviews].map(([id, review]) => ({ id, ...review }))))
    expect(this.#seen.links, place).toEqual([...links].sort())
    const living = expected.filter(({ isDeleted }) => !isDeleted).length
    expect(this.#seen.counts, place).toEqual([living, books.size, reviews.size])
    for (const now of this.#seen.books) {
      const past = before.books.find(({ id }) => id === now['id'])
      if (past === undefined) continue
      const raised =
        (books.get(Number(now['id']))?.raised ?? 0) - (this.#world.books.get(Number(now['id']))?.raised ?? 0)
      const [one, other] = [String(past['changed']), String(now['changed'])]
      if (this.#mode === 'time' && raised > 0) expect(other > one, `${place}\n${one} ${other}`).toBe(true)
      else if (this.#mode === 'time') expect(other, place).toBe(one)
      if (raised === 0) expect(now, place).toEqual(past)
    }
  }

  #assertAnswer({ status, text, json }: Answer, outcome: Outcome, place: string): void {
    expect(status, place).toBe(outcome.status)
    if (!('ids' in outcome)) {
      const counted = 'count' in outcome && { count: outcome.count, dry_run: outcome.isDryRun }
      if (counted) expect(json, place).toEqual(counted)
      return
    }
    const given = [JSON.parse(text)].flat() as readonly Row[]
    const isReviews = given.some((record) => 'stars' in record)
    const stored = isReviews ? this.#seen.reviews : this.#seen.books
    const wanted = outcome.ids.map((own) => stored.find(({ id }) => id === own))
    const related = ({ reviews, tags, _related, ...record }: Row): Row => record
    expect(given.map(related), place).toEqual(wanted)
    for (const { id, reviews } of given)
      if (reviews !== undefined)
        expect(byId(reviews as readonly Row[]), place).toEqual(
          this.#seen.reviews.filter(({ book_id }) => book_id === id),
        )
  }
}

const byId = <T extends Row>(rows: readonly T[]): readonly T[] =>
  rows.toSorted((a, b) => Number(a['id']) - Number(b['id']))

const newIdsIn = ({ books, reviews }: Seen, world: World): NewIds => ({
  books: books.map(({ id }) => Number(id)).filter((id) => !world.books.has(id)),
  reviews: reviews.map(({ id }) => Number(id)).filter((id) => !world.reviews.has(id)),
})

const withoutTags = (act: Act, isWhole: boolean): Act => {
  if (isWhole || !('body' in act) || !('tags' in act.body)) return act
  const { tags, ...body } = act.body
  return { ...act, body } as Act
}

const refusalOf = ({ status, json }: Answer, isRough: boolean): readonly unknown[] => {
  const issues = ((json['errors'] ?? []) as readonly Row[])
    .filter(({ pointer }) => pointer !== undefined)
    .map(({ pointer, code }) => `${pointer} ${code}`.replace('/stars constraint', ' constraint'))
  return [status, json['code'], ...(isRough ? [] : issues.toSorted())]
}

/** The time of an update may be that of the one before, so it is left out. Other times are only there or not. */
const comparable = ({ changes, ...entry }: AuditEntry): AuditEntry => {
  const kept = Object.entries(changes).filter(([name]) => name !== 'updated_at')
  const times = ['changed', 'deleted_at']
  const value = (given: unknown): unknown => (given === null || given === undefined ? given : '<time>')
  return {
    ...entry,
    changes: Object.fromEntries(
      kept.map(([name, change]) => [
        name,
        times.includes(name)
          ? Object.fromEntries(Object.entries(change).map(([side, given]) => [side, value(given)]))
          : change,
      ]),
    ),
  }
}

const sorted = (entries: readonly AuditEntry[]): readonly AuditEntry[] =>
  entries.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))

const orderOf = ({ act, model, record }: AuditEntry): string => `${model} ${record} ${act}`
