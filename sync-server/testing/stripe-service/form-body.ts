/** A value as a form encodes it: texts, and nested `a[b]=c`. */
export interface FormValues {
  [name: string]: string | FormValues
}

/** Reads `a=1&b[c]=2&d[0]=3`, as Stripe's libraries write it. */
export function readForm(text: string): FormValues {
  const values: FormValues = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[')
    let place = values
    for (const part of path.slice(0, -1)) {
      const inner = place[part]
      if (typeof inner === 'object') place = inner
      else place = place[part] = {}
    }
    place[path.at(-1) ?? name] = value
  }
  return values
}

/** A text of a form; null when it is missing. */
export function textOf(values: FormValues, name: string): string | null {
  const value = values[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** The texts of a nested part, by name. */
export function textsOf(values: FormValues, name: string): Record<string, string> {
  const inner = values[name]
  if (typeof inner !== 'object') return {}
  return Object.fromEntries(
    Object.entries(inner).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
