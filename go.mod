module mcbk

go 1.26
