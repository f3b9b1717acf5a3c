----------------------------- MODULE PayoutTrace -----------------------------
(***************************************************************************)
(* Steps that payouts of the real ledger made, held against Payout: each    *)
(* trace must be a way through the ledger's own steps, whatever the world   *)
(* reports and persons say, for in the simulator both lie.                  *)
(***************************************************************************)
EXTENDS Payout, Sequences, TLC, Traces

VARIABLES trace, rest

Begin ==
    /\ state = "absent" /\ handed = FALSE /\ early = {} /\ returned = 0
    /\ money = [available |-> Amount, flight |-> 0, sent |-> 0, suspense |-> 0]
    /\ holds = {} /\ crashed = 0 /\ provider = "none" /\ pix = 0 /\ back = 0
    /\ reports = Messages
    /\ trace \in 1..Len(Traces) /\ rest = Traces[trace]

NoteHandedOut ==
    /\ state = "requested" /\ ~handed /\ handed' = TRUE
    /\ UNCHANGED <<state, early, money, returned, reports, World>>

StopAnyhow ==
    /\ state = "requested" /\ state' = "review" /\ handed' = FALSE
    /\ UNCHANGED <<early, money, returned, reports, World>>

Paid == CASE returned' = 0 -> <<"completed">>
          [] returned' = 1 -> <<"completed", "part">>
          [] returned' = 2 -> <<"completed", "part", "returned">>

Cleared == {<<"cleared">> \o then: then \in
    CASE early = {} -> {<< >>}
      [] early = {"submitted"} -> {<<"submitted">>}
      [] early = {"unknown"} -> {<<"uncertain">>}
      [] OTHER -> {<<"submitted", "uncertain">>, <<"uncertain">>}}

Step(seen) ==
    \/ seen = <<"requested">> /\ Request
    \/ seen = <<"handed">> /\ NoteHandedOut
    \/ seen = <<"submitted">> /\ Deliver("submitted") /\ state' = "submitted"
    \/ seen = <<"uncertain">> /\ Deliver("unknown") /\ state' = "uncertain"
    \/ seen = <<"failed">> /\ Deliver("refused")
    \/ Deliver("paid") /\ state # "failed" /\ seen = Paid
    \/ /\ Deliver("part 1 back") \/ Deliver("part 2 back")
       /\ returned' > returned
       /\ seen = IF state' = "returned" THEN <<"returned">> ELSE <<"part">>
    \/ seen = <<"stopped">> /\ StopAnyhow
    \/ Clear /\ seen \in Cleared

\* A report that moves nothing, or money alone.
Unseen == (\E m \in Messages: Deliver(m)) /\ UNCHANGED <<state, returned>>

Follow ==
    \/ \E n \in 1..3:
        /\ n <= Len(rest) /\ Step(SubSeq(rest, 1, n))
        /\ rest' = SubSeq(rest, n + 1, Len(rest))
        /\ UNCHANGED trace
        /\ rest' = << >> => PrintT(<<"accepted", trace>>)
    \/ rest # << >> /\ Unseen /\ UNCHANGED <<trace, rest>>

Traced == Begin /\ [][Follow]_<<vars, trace, rest>>
=============================================================================
