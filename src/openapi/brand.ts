import type { OpenApiOptions } from './options.ts'

/** How `/docs` looks. */
export type Brand = Pick<OpenApiOptions, 'logo' | 'color'>

/** The colors that page.css uses. `color` was checked at startup, because an unchecked string could inject a CSS rule. */
export const brandStyle = ({ color }: Brand): string =>
  color === undefined
    ? ''
    : `\n:root { --brand: ${color}; --on-brand: ${isLight(color) ? '#000' : '#fff'}; }\n`

/** Whether black text has more contrast on this color than white text, by the relative luminance of WCAG 2 (1.4.3). */
const isLight = (color: string): boolean => {
  const digits =
    color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit).join('') : color.slice(1)
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179
}
