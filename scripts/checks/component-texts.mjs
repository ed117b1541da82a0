// A component returns an element or nothing. `pwa/ui/jsx-runtime.ts` gives text an element of its own, so that a browser can
// translate the page, and it does not see a text, an array or children that are returned without an element or `<>…</>`.
import { readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { allFiles, isTest } from './source-files.mjs'

let components = 0
const wrong = []

/** Lists what may be drawn without an element, of all that an expression may come to. */
function bareIn(expression) {
  switch (expression?.type) {
    case undefined:
    case 'JSXElement':
    case 'JSXFragment':
      return []
    case 'Literal':
      return expression.value === null ? [] : [expression]
    case 'ConditionalExpression':
      return [...bareIn(expression.consequent), ...bareIn(expression.alternate)]
    case 'LogicalExpression':
      return expression.operator === '&&'
        ? bareIn(expression.right)
        : [...bareIn(expression.left), ...bareIn(expression.right)]
    default:
      return [expression]
  }
}

/** @param isComponent whether the function that holds this part is a component. */
function visit(part, report, isComponent = false, name = '') {
  if (Array.isArray(part)) {
    for (const one of part) visit(one, report, isComponent, name)
    return
  }
  if (typeof part?.type !== 'string') return
  let isInComponent = isComponent
  if (/Function/.test(part.type)) {
    isInComponent = !part.async && (/^[A-Z]/.test(part.id?.name ?? name) || name === 'render')
    if (isInComponent) components++
    if (isInComponent && part.body?.type !== 'BlockStatement') report(bareIn(part.body))
  }
  if (part.type === 'ReturnStatement' && isComponent) report(bareIn(part.argument))
  const own = part.type === 'CallExpression' ? name : (part.type === 'VariableDeclarator' ? part.id : part.key)?.name
  for (const value of Object.values(part)) visit(value, report, isInComponent, own)
}

for (const file of allFiles()) {
  if (!/^pwa\/.*\.tsx$/.test(file) || isTest(file)) continue
  const text = readFileSync(file, 'utf8')
  visit(parseSync(file, text, { preserveParens: false }).program, (found) => {
    for (const { start, end } of found)
      wrong.push(`${file}:${text.slice(0, start).split('\n').length}: ${text.slice(start, end).split('\n')[0]}`)
  })
}
if (components < 100) wrong.push(`only ${components} components were read: the check itself is broken`)
for (const line of wrong) console.error(line)
console.log(`components: ${components}, ${wrong.length} returns without an element`)
process.exit(wrong.length === 0 ? 0 : 1)
