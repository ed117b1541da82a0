import { Component, lazy, useState, type ComponentType, type ReactNode } from 'react'

const renewals: (() => void)[] = []

/** As `lazy`, but what could not be loaded is tried again when its boundary tries again, and what is there is drawn at once. */
export function loadable<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> & { readonly loadAhead: () => Promise<void> } {
  let Loaded: ComponentType<Props> = lazy(begin)
  async function begin() {
    try {
      return { default: await load() }
    } catch (error) {
      renewals.push(() => (Loaded = lazy(begin)))
      throw error
    }
  }
  function Loadable(props: Props) {
    const [Drawn] = useState(() => Loaded)
    return <Drawn {...props} />
  }
  Loadable.loadAhead = async () => {
    Loaded = await load()
  }
  return Loadable
}

/** Tries again when `of` changes. A class, as React has no hook for it. */
export class FailureBoundary extends Component<
  { readonly of: unknown; readonly renderInstead: (error: unknown) => ReactNode; readonly children: ReactNode },
  { readonly error: unknown }
> {
  override state = { error: null as unknown }
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override componentDidCatch() {
    for (const renew of renewals.splice(0)) renew()
  }
  override componentDidUpdate(before: { readonly of: unknown }) {
    if (before.of !== this.props.of && this.state.error !== null) this.setState({ error: null })
  }
  override render() {
    const { error } = this.state
    return <>{error === null ? this.props.children : this.props.renderInstead(error)}</>
  }
}

export const undrawnRow = 'This cannot be shown right now. Nothing is lost.'

/** Shows a row's render error instead. @param of the row; a changed one is tried again */
export function GuardedRow({ of, children }: { readonly of: unknown; readonly children: ReactNode }) {
  return (
    <FailureBoundary of={of} renderInstead={() => <li className="px-4 py-3 text-muted">{undrawnRow}</li>}>
      {children}
    </FailureBoundary>
  )
}
