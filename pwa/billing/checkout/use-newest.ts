import { useEffect, useEffectEvent, useState } from 'react'

/** Asks when `turn` changes. Null until the answer of this turn is there; the answers of earlier ones are dropped. */
export function useNewest<T>(turn: string | number | null, ask: () => Promise<T>): T | null {
  const [newest, setNewest] = useState<{ readonly turn: string | number; readonly answer: T } | null>(null)
  const begin = useEffectEvent(ask)
  useEffect(() => {
    if (turn === null) return
    let left = false
    void begin().then((answer) => {
      if (!left) setNewest({ turn, answer })
    })
    return () => {
      left = true
    }
  }, [turn])
  return newest?.turn === turn ? newest.answer : null
}
