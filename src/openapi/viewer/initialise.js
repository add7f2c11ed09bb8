// Starts the viewer. It is a file of its own, so that the page needs no inline script.
const viewer = document.getElementById('viewer')
document.body.style.margin = '0'

globalThis.SwaggerUIBundle({
  domNode: viewer,
  url: viewer.dataset.document,
  deepLinking: true,
  displayOperationId: false,
  docExpansion: viewer.dataset.expansion,
  filter: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  // The badge would send the document's address to a server of the viewer's makers.
  validatorUrl: 'none',
})
