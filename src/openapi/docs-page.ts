import { type AssetName, assets } from './assets.ts'
import type { OpenApiDocument } from './openapi-document.ts'

/** Above this number of operations, the page opens with its groups folded. */
const FOLDED_ABOVE = 100

/**
 * The page of the viewer. All its addresses are relative to its own, so that it works under every prefix, also one
 * that a proxy takes away before we see it.
 *
 * @param slashed the page was asked for as `/docs/`, which is one level deeper than `/docs`
 */
export const docsPage = (document: OpenApiDocument, slashed: boolean): string => {
  const [here, above] = slashed ? ['', '../'] : ['docs/', '']
  const asset = (name: AssetName) => `${here}${name}?v=${assets[name]().version}`
  const expansion = countOperations(document) > FOLDED_ABOVE ? 'none' : 'list'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${asset('swagger-ui.css')}">
</head>
<body>
<div id="viewer" data-document="${above}openapi.json" data-expansion="${expansion}"></div>
<noscript>This page needs JavaScript. The document itself: <a href="${above}openapi.json">openapi.json</a></noscript>
<script src="${asset('swagger-ui-bundle.js')}"></script>
<script src="${asset('initialise.js')}"></script>
</body>
</html>
`
}

const countOperations = ({ paths }: OpenApiDocument): number =>
  Object.values(paths).reduce((count, item) => count + Object.keys(item).length, 0)

const entities: Readonly<Partial<Record<string, string>>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}
const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')
