import { useState } from 'react'
import { toast } from './toast.ts'

function sayThatItDidNotCome() {
  toast({
    variant: 'destructive',
    title: 'This is not on this device yet',
    description: 'Try again once there is a network.',
  })
}

/** Loads what few people open when they press for it, so that no press is lost on the way. */
export function useLoadOnPress<T>(load: () => Promise<T>): readonly [T | null, () => void] {
  const [loaded, setLoaded] = useState<{ readonly value: T } | null>(null)
  const press = () => {
    load().then((value) => setLoaded({ value }), sayThatItDidNotCome)
  }
  return [loaded?.value ?? null, press]
}
