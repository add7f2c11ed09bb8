import { shownJson } from '../schema/shown.ts'
import type { ShownPage } from './listed.ts'
import type { Resource } from './resource.ts'

/** A page as JSON text. */
export const pageText = (resource: Resource, shownPage: ShownPage): string => {
  const { count, exact, next } = shownPage.page
  const token = next === undefined ? '' : `,"next":${JSON.stringify(next)}`
  return `{"items":${itemsText(resource, shownPage)},"count":${count},"count_exact":${exact}${token}}`
}

const itemsText = ({ model, serialiser }: Resource, { page, fields, shown }: ShownPage): string =>
  shown === undefined
    ? serialiser.list(page.rows, fields)
    : JSON.stringify(shown.map((item) => shownJson(model, item, fields)))
