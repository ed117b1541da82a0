/** React compares with what was last set on the element itself, and would ignore the event without this detour. */
function announce(field: HTMLInputElement): void {
  const { value } = field
  field.value = `${value} `
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
}

/** A form reads its fields when it is sent, because password managers and iPhones fill them in without an event. */
export function followFilledFields(): void {
  const known = new WeakMap<EventTarget, string>()
  const note = ({ target }: Event) => {
    if (target) known.set(target, (target as HTMLInputElement).value)
  }
  document.addEventListener('input', note, true)
  document.addEventListener(
    'submit',
    ({ target }) => {
      const fields = (target as HTMLFormElement).querySelectorAll<HTMLInputElement>(
        'input:not([type=checkbox], [type=radio], [type=file]), textarea, select',
      )
      for (const field of fields) {
        const seen = known.get(field) ?? field.defaultValue
        // A date of which a part is missing has no value, and setting one would clear it.
        if (field.value !== seen && !field.validity.badInput) announce(field)
      }
    },
    true,
  )
}
