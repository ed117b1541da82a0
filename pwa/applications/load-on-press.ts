import { useState } from 'react'
import { didNotWork } from '../ui/forms/failure-toast.ts'

/** For what few people open. */
export function useLoadOnPress<T>(load: () => Promise<T>): readonly [T | null, () => void] {
  const [loaded, setLoaded] = useState<{ readonly value: T } | null>(null)
  const press = () => {
    load().then((value) => setLoaded({ value }), didNotWork)
  }
  return [loaded?.value ?? null, press]
}
