/**
 * Makes a name that is valid on every system: 'Gründer & Geldgeber' becomes 'grunder-geldgeber'. It has at most 60
 * characters, and is '' without any letter of ASCII.
 */
export function fileNameOf(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '')
}
