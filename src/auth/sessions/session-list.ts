import { randomInt } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Cache, CacheError } from '../../cache/cache.ts'
import { type HttpError, problem } from '../../error/errors.ts'
import { isPrintable } from '../../model/kinds/text.ts'
import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import type { TokenAuthSettings } from '../settings/index.ts'
import { type Blacklist, cacheKeysOf, familyOf } from './revocations.ts'
import type { Client, ListedSession, SessionList } from './sessions.ts'

/** The maximum number of sessions of a user. */
const PLACES = 50

/** In milliseconds. */
const MINUTE = 60_000

/** The lifetime of a lock in seconds, in case its process ends before it unlocks. */
const LOCKED = 60

const MAX_REMEMBERED = 10_000

/** One entry in the cache. It changes only while it is locked, and only if its text is still the one that was read. */
interface Place {
  readonly key: string
  readonly text: string | undefined
  readonly session: ListedSession | undefined
}

type Ends = (sub: string, session: ListedSession) => Steps<void>

export const sessionListOf = (
  settings: TokenAuthSettings,
  { areEnded, secondsLeft }: Blacklist,
  end: Ends,
): SessionList => {
  const { cache } = settings
  const keys = cacheKeysOf(settings)
  /** When this process last wrote the use of a session. */
  const remembered = new LRUCache<string, number>({ max: MAX_REMEMBERED })

  function* placesOf(sub: string): Steps<readonly Place[]> {
    const names = Array.from({ length: PLACES }, (_, number) => keys.place(sub, number))
    const texts = yield* waitInAnyMode(cache.getMany(names))
    return names.map((key, at) => {
      const text = texts[at]
      return { key, text, session: text === undefined ? undefined : (JSON.parse(text) as ListedSession) }
    })
  }

  /** `add` for a new session: the reserve of the cache is for `set`, which ends all sessions of a user. */
  function* write({ key, text }: Place, session: ListedSession): Steps<void> {
    const seconds = secondsLeft(session.exp)
    if (text === undefined) yield* waitInAnyMode(cache.add(key, JSON.stringify(session), seconds))
    else yield* waitInAnyMode(cache.set(key, JSON.stringify(session), seconds))
  }

  /** Puts a session into the first of these places that no other request changes. */
  function* put(places: readonly Place[], session: ListedSession, before?: SessionChange): Steps<boolean> {
    for (const place of places) {
      const isDone = yield* inPlace(cache, place, function* () {
        if (before !== undefined) yield* before(place)
        yield* write(place, session)
      })
      if (isDone) return true
    }
    return false
  }

  return {
    *note(sub, session) {
      const places = yield* placesOf(sub)
      const own = places.find((place) => place.session?.id === session.id)
      if (own?.session !== undefined) {
        yield* put([own], { ...session, created: own.session.created })
        return
      }
      const empty = places.filter(({ text }) => text === undefined)
      // Logins at the same time begin at different places.
      const start = randomInt(empty.length + 1)
      if (yield* put([...empty.slice(start), ...empty.slice(0, start)], session)) return
      const taken = sessionsIn(places)
      const ended = yield* areEnded(sub, taken)
      const open = taken.filter(({ account }, at) => ended[at] !== true && account === session.account)
      const over = places.filter((place) => place.session !== undefined && !open.includes(place.session))
      if (yield* put(over, session)) return
      const rest = places.filter((place) => place.session !== undefined && !over.includes(place))
      const byUse = rest.toSorted((a, b) => Number(a.session?.used) - Number(b.session?.used))
      const isDone = yield* put(byUse, session, function* (place) {
        if (place.session !== undefined) yield* end(sub, place.session)
      })
      // The end of one may have ended all of them, this one too.
      if (!isDone || (yield* areEnded(sub, [session])).includes(true)) throw tooMany()
    },

    *used(token) {
      const { fid } = familyOf(token)
      const now = Date.now()
      if (Math.abs(now - (remembered.get(fid) ?? 0)) < MINUTE) return
      remembered.set(fid, now)
      try {
        const places = yield* placesOf(token.claims.sub)
        const own = places.find(({ session }) => session?.id === fid)
        // Another process may have written it.
        if (own?.session !== undefined && now - own.session.used >= MINUTE)
          yield* put([own], { ...own.session, used: now })
      } catch (error) {
        if (!(error instanceof CacheError)) throw error
      }
    },

    *of(sub, account) {
      const sessions = sessionsIn(yield* placesOf(sub)).filter((session) => session.account === account)
      const ended = yield* areEnded(sub, sessions)
      return sessions.filter((_, at) => ended[at] !== true).toSorted((a, b) => b.used - a.used)
    },

    *drop(sub, id) {
      try {
        const own = (yield* placesOf(sub)).find(({ session }) => session?.id === id)
        if (own !== undefined) yield* inPlace(cache, own, () => waitInAnyMode(cache.delete(own.key)))
      } catch (error) {
        if (!(error instanceof CacheError)) throw error
      }
    },
  }
}

const tooMany = (): HttpError =>
  problem('unavailable', 'Too many sessions of this user begin at the moment. Retry after 1 s.', {
    headers: { 'retry-after': '1' },
  })

type SessionChange = (place: Place) => Steps<void>

const sessionsIn = (places: readonly Place[]): readonly ListedSession[] =>
  places.flatMap(({ session }) => (session === undefined ? [] : [session]))

/** Changes a place, unless it is locked or has changed since it was read. Returns whether it did. */
function* inPlace(cache: Cache, { key, text }: Place, change: () => Steps<void>): Steps<boolean> {
  const lock = `${key}:lock`
  if (!(yield* waitInAnyMode(cache.add(lock, '1', LOCKED)))) return false
  try {
    if ((yield* waitInAnyMode(cache.get(key))) !== text) return false
    yield* change()
    return true
  } finally {
    yield* waitInAnyMode(cache.delete(lock))
  }
}

/** What the list shows of a client. Both values come from the client or a proxy. */
export const deviceOf = (client: Client | undefined): Pick<ListedSession, 'agent' | 'address'> => ({
  agent: printablePart(client?.header?.('user-agent')),
  address: printablePart(client?.address),
})

const MAX_CHARACTERS = 200

const printablePart = (text: string | undefined): string | null => {
  if (text === undefined) return null
  // The limit before keeps the work small, whatever the size of the header.
  const characters = [...text.slice(0, 10 * MAX_CHARACTERS)].filter(isPrintable)
  return characters.slice(0, MAX_CHARACTERS).join('').trim() || null
}
