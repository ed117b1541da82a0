// The compiler calls this for each element (`jsxImportSource`) instead of React's own file. A browser that translates a
// page replaces text nodes by elements of its own. React does not find them any more: a text that comes or goes next to
// other children throws, and one that changes keeps its old word. The only child of an element is safe, because React sets
// such a text as `textContent`. Therefore text next to other children gets an element of its own here.
import type { ElementType, Key, ReactElement, ReactNode } from 'react'
import { jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime'

export { Fragment, type JSX } from 'react/jsx-runtime'

type Props = { readonly children?: ReactNode }

const isText = (child: ReactNode): child is string | number =>
  (typeof child === 'string' && child !== '') || typeof child === 'number'
const isNothing = (child: ReactNode) => child == null || typeof child === 'boolean' || child === ''

/** Texts in a row become one, at the place of the first: a flex container lays them out as one, too. */
function withTextsInElements(children: readonly ReactNode[]): ReactNode {
  if (!children.some((child) => isText(child) || Array.isArray(child))) return children
  const joined: ReactNode[] = []
  let textAt = -1
  for (const one of children) {
    const child = Array.isArray(one) ? withTextsInElements(one) : one
    const before = joined[textAt]
    if (isText(child) && isText(before)) {
      joined[textAt] = `${before}${child}`
      joined.push(null)
    } else {
      if (!isNothing(child)) textAt = isText(child) ? joined.length : -1
      joined.push(child)
    }
  }
  if (joined.every((child) => isText(child) || isNothing(child))) return joined.find(isText)
  // Translators leave blanks alone.
  const isBlank = (text: string | number) => String(text).trim() === ''
  return joined.map((child, at) =>
    isText(child) && !isBlank(child) ? reactJsx('span', { children: child }, `text-${at}`) : child,
  )
}

function create(type: ElementType, props: Props, key: Key | undefined, hasMany: boolean): ReactElement {
  const { children } = props
  // A fragment has no element of its own. A component may do anything with an array that is its one child.
  const isFragment = typeof type === 'symbol'
  const isChecked = hasMany || isFragment || typeof type === 'string'
  const joined = isChecked && Array.isArray(children) ? withTextsInElements(children) : children
  const given = isFragment && isText(joined) ? reactJsx('span', { children: joined }) : joined
  const createFor = hasMany && Array.isArray(given) ? reactJsxs : reactJsx
  return createFor(type, given === children ? props : { ...props, children: given }, key)
}

export const jsx = (type: ElementType, props: Props, key?: Key) => create(type, props, key, false)
export const jsxs = (type: ElementType, props: Props, key?: Key) => create(type, props, key, true)
/** The development server calls this one. */
export const jsxDEV = create
