import { jsonList } from '../schema/json-list.ts'
import { shownJson } from '../schema/shown.ts'
import type { ShownPage } from './listed.ts'
import { tooLarge } from './page-size.ts'
import type { Resource } from './resource.ts'

/** A page as JSON text. @throws HttpError 400 `page_too_large` */
export const pageText = (resource: Resource, shownPage: ShownPage): string => {
  const items = itemsText(resource, shownPage)
  if (items === undefined) throw tooLarge(resource)
  const { count, exact, next } = shownPage.page
  const token = next === undefined ? '' : `,"next":${JSON.stringify(next)}`
  return `{"items":${items},"count":${count},"count_exact":${exact}${token}}`
}

const itemsText = (
  { model, serialiser, pageBytes }: Resource,
  { page, fields, shown }: ShownPage,
): string | undefined =>
  shown === undefined
    ? serialiser.list(page.rows, fields, pageBytes)
    : jsonList(shown, (item) => shownJson(model, item, fields), pageBytes)
