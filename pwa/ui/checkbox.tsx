import type { ComponentProps } from 'react'

/** A box alone, where what it stands beside names it; the whole of 44 px around it answers. */
export function Checkbox({ label, className = '', ...input }: ComponentProps<'input'> & { label: string }) {
  return (
    <label className={`grid size-11 shrink-0 cursor-pointer place-items-center ${className}`}>
      <input {...input} type="checkbox" aria-label={label} className="checkbox" />
    </label>
  )
}
