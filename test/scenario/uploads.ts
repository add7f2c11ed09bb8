import { formOf, picture } from './picture.ts'
import type { Transcript } from './transcript.ts'

/** Images of categories: made, read, replaced, refused and deleted. */
export const imagesComeAndGo = async ({ ask }: Transcript): Promise<void> => {
  const made = await ask('categories/', { method: 'POST', form: formOf({ name: 'Paper lanterns' }, picture) })
  const category = `categories/${made.json['id']}`
  const url = String(made.json['image'])
  await ask(url)
  await ask(url, { headers: { range: 'bytes=0-7' } })
  await ask(url, { method: 'HEAD' })
  await ask(category, { method: 'PATCH', body: { description: 'Red ones.', image: url } })
  await ask(category, { method: 'PATCH', body: { image: 'elsewhere.png' } })
  await ask(category, { method: 'PATCH', form: formOf({}, Buffer.from('no picture')) })
  await ask(category, { method: 'PATCH', form: formOf({ name: 'Lighting' }, picture) })
  const replaced = await ask(category, { method: 'PUT', form: formOf({ name: 'Lanterns' }, picture) })
  await ask(url)
  await ask(String(replaced.json['image']))
  await ask(category, { method: 'PATCH', body: { image: null } })
  await ask(String(replaced.json['image']))
  await ask(category, { method: 'DELETE' })
  await ask('products/', { method: 'POST', form: formOf({ name: 'A', price: '1' }) })
}
