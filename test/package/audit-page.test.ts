import { expect, inject, test } from 'vitest'
import { pageProject } from './page-project.ts'

test('docs/audit.md has an example that does what the page says', async () => {
  const project = await pageProject('docs/audit.md', inject('unpacked'))
  try {
    expect(Object.keys(project.files)).toEqual(['models.ts', 'server.ts', 'tenants/audit-entry.js'])
    const answers = await project.answers('/docs')
    expect(answers).toHaveLength(3)
    for (const { shown, printed } of answers) expect(printed).toBe(shown)
  } finally {
    project.folder.remove()
  }
})
