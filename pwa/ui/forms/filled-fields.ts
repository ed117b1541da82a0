type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const isField = (element: unknown): element is Field =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement
const isTicked = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')
const stateOf = (field: Field) => (isTicked(field) ? field.checked : field.value)
const initialStateOf = (field: Field) =>
  isTicked(field) ? field.defaultChecked : field instanceof HTMLSelectElement ? undefined : field.defaultValue

/** React compares with what was last set on the element itself, and would ignore the event without this detour. */
function announce(field: Field): void {
  const property = isTicked(field) ? 'checked' : 'value'
  const state = stateOf(field)
  Object.assign(field, { [property]: isTicked(field) ? !state : `${state} ` })
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), property)?.set?.call(field, state)
  const type = isTicked(field) ? 'click' : field instanceof HTMLSelectElement ? 'change' : 'input'
  field.dispatchEvent(new Event(type, { bubbles: true }))
}

/** Password managers, and Chrome on iPhones, fill in fields without an event. So a form reads its fields when it is sent. */
export function followFilledFields(): void {
  const known = new WeakMap<Field, string | boolean>()
  const note = ({ target }: Event) => {
    if (isField(target)) known.set(target, stateOf(target))
  }
  document.addEventListener('input', note, true)
  document.addEventListener('change', note, true)
  document.addEventListener(
    'submit',
    ({ target }) => {
      for (const field of target instanceof HTMLFormElement ? target.elements : []) {
        if (!isField(field) || field.type === 'file' || field.validity.badInput) continue
        if (stateOf(field) !== (known.get(field) ?? initialStateOf(field))) announce(field)
      }
    },
    true,
  )
}
