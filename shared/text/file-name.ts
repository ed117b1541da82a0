/** Valid on every system: 'Gründer & Geldgeber' → 'grunder-geldgeber'; at most 60 characters, '' without any letter of ASCII. */
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
